-- The statistics database, schema 21. Rows are added, and deleted with the game they belong to. What changes is this: a
-- record gets notes, people get other names, what a record tells of its occasion is corrected, the number of commits is
-- raised, and where another record stands for a match, the rows of numbers of the one before leave, and its row moves from
-- `games` to `other_games`. Of the sums of all tricks, scores and cards, what is deleted is taken away by rows with a minus, and
-- when they are many they are summed.
-- There is no index. Everything here but `renames`, `corrections`, `evening_steps`, `studies`, `rulebooks`, `waiting_records`, times of storing, the log of imports and reviews can be
-- rebuilt from `records`: a database of another schema is built anew. The key of a game is a number made from its digest, so that two
-- databases can be joined without renumbering. Deals, events, tricks, seats and sides are numbered from 0, as in the
-- record format. A deal is `clean` if it was dealt from the full pack, played to the last card, fully known and without a
-- breach. By default only clean deals enter the statistics. `clean` and `sheet` stand in every table, so that a question
-- rarely needs a join.

CREATE TABLE schema_version (
    version INTEGER NOT NULL,
    judgement INTEGER NOT NULL,
    program VARCHAR NOT NULL,
    applied_at TIMESTAMP NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')
);
COMMENT ON TABLE schema_version IS 'The schema of this file, and the program that made it and judged its records.';
COMMENT ON COLUMN schema_version.version IS 'Number of the schema.';
COMMENT ON COLUMN schema_version.judgement IS 'Number of the judgement: programs with the same number give the same verdicts and findings.';
COMMENT ON COLUMN schema_version.program IS 'Version of the program.';
COMMENT ON COLUMN schema_version.applied_at IS 'When the file was made, in UTC.';

CREATE TABLE commits (
    database UUID NOT NULL,
    number BIGINT NOT NULL
);
COMMENT ON TABLE commits IS 'One row: how many transactions this database has had. A file beside it says how many were acknowledged.';
COMMENT ON COLUMN commits.database IS 'Tells this database from every other.';
COMMENT ON COLUMN commits.number IS 'Raised by every transaction, whatever it writes.';

CREATE TABLE records (
    game BIGINT NOT NULL,
    digest VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    line INTEGER,
    size INTEGER NOT NULL,
    data BLOB NOT NULL USING COMPRESSION uncompressed,
    stored_at TIMESTAMP NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')
);
COMMENT ON TABLE records IS 'Every record exactly as it was uploaded: the source of all other tables.';
COMMENT ON COLUMN records.game IS 'Key of the game: the first 60 bits of the digest as a number.';
COMMENT ON COLUMN records.digest IS 'SHA-256 of what was played, in hexadecimal: the identity of the game.';
COMMENT ON COLUMN records.name IS 'Name of the file it came from, without its folder.';
COMMENT ON COLUMN records.line IS 'Line of that file, from 1; empty if the file holds one record.';
COMMENT ON COLUMN records.size IS 'Bytes of the record before compression.';
COMMENT ON COLUMN records.data IS 'The record as it was read, packed: analyzer/store/packing.py says how. Parquet files have it as it was read.';
COMMENT ON COLUMN records.stored_at IS 'When it was stored, in UTC.';

CREATE TABLE rejected (
    content UUID NOT NULL,
    name VARCHAR NOT NULL,
    line INTEGER,
    size INTEGER NOT NULL,
    reason VARCHAR NOT NULL,
    findings JSON NOT NULL,
    seen_at TIMESTAMP NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')
);
COMMENT ON TABLE rejected IS 'Records that were rejected, and why.';
COMMENT ON COLUMN rejected.content IS 'The first 128 bits of the SHA-256 of the bytes.';
COMMENT ON COLUMN rejected.name IS 'Name of the file it came from, without its folder.';
COMMENT ON COLUMN rejected.line IS 'Line of that file, from 1; empty if the file holds one record.';
COMMENT ON COLUMN rejected.size IS 'Bytes that were read.';
COMMENT ON COLUMN rejected.reason IS 'unreadable, or why the database could not store it.';
COMMENT ON COLUMN rejected.findings IS 'The findings as JSON, as in a report.';
COMMENT ON COLUMN rejected.seen_at IS 'When it was rejected, in UTC.';

CREATE TABLE rulebooks (
    rulebook VARCHAR NOT NULL,
    content VARCHAR NOT NULL,
    made_by VARCHAR NOT NULL,
    made_at TIMESTAMP NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')
);
COMMENT ON TABLE rulebooks IS 'The rulebooks of its own that the folder keeps: records that name one are judged by it.';
COMMENT ON COLUMN rulebooks.rulebook IS 'Its key, as in games.sheet.';
COMMENT ON COLUMN rulebooks.content IS 'The rulebook as a record would carry it, as JSON in canonical form.';
COMMENT ON COLUMN rulebooks.made_by IS 'Who added it: admin, person, command, or token and its name.';
COMMENT ON COLUMN rulebooks.made_at IS 'When it was added, in UTC.';

CREATE TABLE waiting_records (
    content UUID NOT NULL,
    rulebook VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    line INTEGER,
    size INTEGER NOT NULL,
    data BLOB NOT NULL USING COMPRESSION uncompressed,
    seen_at TIMESTAMP NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')
);
COMMENT ON TABLE waiting_records IS 'Records that name a rulebook which nobody knew here: they become games as soon as it is added.';
COMMENT ON COLUMN waiting_records.content IS 'The first 128 bits of the SHA-256 of the bytes, as in rejected.';
COMMENT ON COLUMN waiting_records.rulebook IS 'The id of the rulebook that the record names.';
COMMENT ON COLUMN waiting_records.name IS 'Name of the file it came from, without its folder.';
COMMENT ON COLUMN waiting_records.line IS 'Line of that file, from 1; empty if the file holds one record.';
COMMENT ON COLUMN waiting_records.size IS 'Bytes of the record before compression.';
COMMENT ON COLUMN waiting_records.data IS 'The record as it was read, packed as in records.';
COMMENT ON COLUMN waiting_records.seen_at IS 'When it was sent, in UTC.';

CREATE TABLE games (
    game BIGINT NOT NULL,
    digest VARCHAR NOT NULL,
    sheet VARCHAR NOT NULL,
    edition INTEGER NOT NULL,
    options JSON NOT NULL,
    players UTINYINT NOT NULL,
    names VARCHAR[] NOT NULL,
    written VARCHAR[] NOT NULL,
    persons VARCHAR[] NOT NULL,
    people VARCHAR[] NOT NULL,
    event VARCHAR,
    site VARCHAR,
    started TIMESTAMP,
    utc_offset SMALLINT,
    started_at TIMESTAMP,
    program VARCHAR,
    program_version VARCHAR,
    verdict VARCHAR NOT NULL,
    status VARCHAR,
    complete BOOLEAN NOT NULL,
    winner UTINYINT,
    scores INTEGER[] NOT NULL,
    settlement INTEGER[],
    deals INTEGER NOT NULL,
    events INTEGER NOT NULL,
    findings INTEGER NOT NULL,
    clean BOOLEAN NOT NULL,
    stored_at TIMESTAMP NOT NULL DEFAULT (now() AT TIME ZONE 'UTC'),
    variant BIGINT,
    month DATE
);
COMMENT ON TABLE games IS 'One row per match, from the record that stands for it: rules, players, verdict, outcome.';
COMMENT ON COLUMN games.game IS 'Key of the game: the first 60 bits of the digest as a number.';
COMMENT ON COLUMN games.digest IS 'SHA-256 of what was played, in hexadecimal: the identity of the game.';
COMMENT ON COLUMN games.sheet IS 'Rule sheet, as the record names it; the key of one that is its own.';
COMMENT ON COLUMN games.edition IS 'Edition of the rule sheet that was applied.';
COMMENT ON COLUMN games.options IS 'Every option of the sheet with the value that was applied, as JSON.';
COMMENT ON COLUMN games.players IS 'Number of players.';
COMMENT ON COLUMN games.names IS 'Names of the players by seat, as people read them in the record unless a player was renamed.';
COMMENT ON COLUMN games.written IS 'The same names before anybody was renamed.';
COMMENT ON COLUMN games.persons IS 'Keys of the players by seat, from the record alone: id: with the id, name: with the name, or seat: where nobody can tell who it is.';
COMMENT ON COLUMN games.people IS 'What seats.player has, by seat: one name for each person, and no two people with one name.';
COMMENT ON COLUMN games.event IS 'Tournament or evening, as stated in the record.';
COMMENT ON COLUMN games.site IS 'Where it was played, as stated in the record.';
COMMENT ON COLUMN games.started IS 'When it was started, by the clock of the place, as the record states it: its day, month and year are those of the evening; midnight where the record gives only the day (`meta.date`), and empty if it gives no valid time and no day.';
COMMENT ON COLUMN games.utc_offset IS 'By how many minutes that clock is ahead of UTC; empty where only the day is known.';
COMMENT ON COLUMN games.started_at IS 'The same moment in UTC, to put matches in order.';
COMMENT ON COLUMN games.program IS 'Program that wrote the record.';
COMMENT ON COLUMN games.program_version IS 'Version of that program.';
COMMENT ON COLUMN games.verdict IS 'legal, legal_with_mismatches, illegal, incomplete or undetermined.';
COMMENT ON COLUMN games.status IS 'complete, unfinished or abandoned, as stated in the record.';
COMMENT ON COLUMN games.complete IS 'Whether the game was played to its end and decided, as the rules compute it.';
COMMENT ON COLUMN games.winner IS 'Side that won, as the rules compute it; empty for a draw or an unfinished game.';
COMMENT ON COLUMN games.scores IS 'Points by side over all deals, as the rules compute them; NULL by side where the record leaves them open.';
COMMENT ON COLUMN games.settlement IS 'What each side receives, where every deal is settled as a match of its own.';
COMMENT ON COLUMN games.deals IS 'Deals in the record.';
COMMENT ON COLUMN games.events IS 'Events in the record.';
COMMENT ON COLUMN games.findings IS 'Findings in the report, without those that follow from another one.';
COMMENT ON COLUMN games.clean IS 'Whether every deal is clean and the game complete.';
COMMENT ON COLUMN games.stored_at IS 'When it was stored, in UTC.';
COMMENT ON COLUMN games.variant IS 'A number for the sheet, its edition and its options together; the view variants lists them.';
COMMENT ON COLUMN games.month IS 'First day of the month in which it was started, by the clock of the place; empty if the record gives no date.';

CREATE TABLE other_games (
    match BIGINT NOT NULL,
    relation VARCHAR NOT NULL,
    -- and the columns of games
);
COMMENT ON TABLE other_games IS 'Games told a second time: another record of a match, which the fullest one in games stands for. They count nowhere.';
COMMENT ON COLUMN other_games.match IS 'Key of the game that stands for the match.';
COMMENT ON COLUMN other_games.relation IS 'How this record stands to that one: same, view, beginning or whole.';

CREATE TABLE traces (
    game BIGINT NOT NULL,
    trace BIGINT NOT NULL
);
COMMENT ON TABLE traces IS 'By what records of one match are found: the hands first dealt, the first plays, or all that the record tells.';
COMMENT ON COLUMN traces.game IS 'Key of the game.';
COMMENT ON COLUMN traces.trace IS 'The first 60 bits of a SHA-256 as a number.';

CREATE TABLE former_digests (
    game BIGINT NOT NULL,
    digest VARCHAR NOT NULL
);
COMMENT ON TABLE former_digests IS 'The digests that records without deals had once, when nobody looked at names and results: old links name them.';
COMMENT ON COLUMN former_digests.game IS 'Key of the game.';
COMMENT ON COLUMN former_digests.digest IS 'The digest of then; several games may have the same.';

CREATE TABLE deals (
    game BIGINT NOT NULL,
    deal SMALLINT NOT NULL,
    sheet VARCHAR NOT NULL,
    clean BOOLEAN NOT NULL,
    legal BOOLEAN NOT NULL,
    tainted BOOLEAN NOT NULL,
    complete BOOLEAN NOT NULL,
    dealer UTINYINT NOT NULL,
    leader UTINYINT,
    trump VARCHAR,
    turn_up VARCHAR,
    tricks SMALLINT NOT NULL,
    events SMALLINT NOT NULL,
    findings INTEGER NOT NULL,
    scores INTEGER[] NOT NULL,
    winner UTINYINT,
    margin INTEGER,
    match_scores INTEGER[]
);
COMMENT ON TABLE deals IS 'One row per deal.';
COMMENT ON COLUMN deals.game IS 'Key of the game.';
COMMENT ON COLUMN deals.deal IS 'Number of the deal in its game.';
COMMENT ON COLUMN deals.sheet IS 'Rule sheet of the game.';
COMMENT ON COLUMN deals.clean IS 'Whether the deal enters the statistics: dealt from the full pack, complete, fully known, without a breach.';
COMMENT ON COLUMN deals.legal IS 'Whether no rule was broken in the deal.';
COMMENT ON COLUMN deals.tainted IS 'Whether events follow a breach, so that later points may not come from fair play.';
COMMENT ON COLUMN deals.complete IS 'Whether the deal was played to its end.';
COMMENT ON COLUMN deals.dealer IS 'Seat that dealt.';
COMMENT ON COLUMN deals.leader IS 'Seat that led to the first trick; empty if nothing was played.';
COMMENT ON COLUMN deals.trump IS 'Trump suit (S, H, D, C) at the end; empty if none was made.';
COMMENT ON COLUMN deals.turn_up IS 'Card turned up after the deal, where the game has one.';
COMMENT ON COLUMN deals.tricks IS 'Tricks completed.';
COMMENT ON COLUMN deals.events IS 'Events recorded.';
COMMENT ON COLUMN deals.findings IS 'Findings on the deal.';
COMMENT ON COLUMN deals.scores IS 'Points of the deal by side, with brisques that count to settle it; NULL by side where the record leaves them open.';
COMMENT ON COLUMN deals.winner IS 'Side with the most points in the deal; empty if the best are level or the points open.';
COMMENT ON COLUMN deals.margin IS 'Points by which the best side leads the next; empty if they are open.';
COMMENT ON COLUMN deals.match_scores IS 'Points of the match by side before the deal; 0 where every deal is a match of its own.';

CREATE TABLE seats (
    game BIGINT NOT NULL,
    deal SMALLINT NOT NULL,
    sheet VARCHAR NOT NULL,
    clean BOOLEAN NOT NULL,
    seat UTINYINT NOT NULL,
    side UTINYINT NOT NULL,
    player VARCHAR NOT NULL,
    player_id VARCHAR,
    kind VARCHAR,
    role VARCHAR NOT NULL,
    strength SMALLINT,
    points INTEGER,
    outcome DOUBLE,
    meld_points INTEGER,
    dix_points INTEGER,
    turned_seven_points INTEGER,
    tenth_trick_points INTEGER,
    last_trick_points INTEGER,
    all_last_tricks_points INTEGER,
    brisques_points INTEGER,
    carte_blanche_points INTEGER,
    cut_points INTEGER,
    guess_points INTEGER,
    zetema_points INTEGER,
    ruling_points INTEGER,
    melds SMALLINT,
    tricks SMALLINT,
    brisques SMALLINT,
    won_last_trick BOOLEAN NOT NULL,
    opponent VARCHAR,
    points_against INTEGER,
    deal_tricks SMALLINT,
    brisques_missed SMALLINT,
    match_score INTEGER,
    match_score_against INTEGER,
    match_outcome DOUBLE,
    variant BIGINT,
    month DATE,
    program VARCHAR,
    players UTINYINT,
    tricks_led SMALLINT,
    led_tricks_won SMALLINT,
    led_brisques SMALLINT,
    let_go SMALLINT,
    let_go_known SMALLINT,
    points_ahead_led BIGINT,
    tricks_ahead_led INTEGER,
    leads SMALLINT,
    leads_held SMALLINT,
    own_leads BIGINT,
    scorings SMALLINT,
    royal_melds SMALLINT,
    timed_melds SMALLINT,
    meld_tricks INTEGER,
    points_of_partners INTEGER,
    trumps_led SMALLINT NOT NULL,
    brisques_led SMALLINT NOT NULL,
    brisques_played SMALLINT NOT NULL,
    brisques_given SMALLINT NOT NULL,
    closed_tricks SMALLINT NOT NULL,
    forced_cards SMALLINT NOT NULL,
    cards_thrown SMALLINT NOT NULL,
    cards_drawn SMALLINT NOT NULL,
    cards_melded SMALLINT NOT NULL
);
COMMENT ON TABLE seats IS 'One row per deal and seat: what the seat held, took and scored.';
COMMENT ON COLUMN seats.game IS 'Key of the game.';
COMMENT ON COLUMN seats.deal IS 'Number of the deal in its game.';
COMMENT ON COLUMN seats.sheet IS 'Rule sheet of the game.';
COMMENT ON COLUMN seats.clean IS 'Whether the deal enters the statistics.';
COMMENT ON COLUMN seats.seat IS 'Seat.';
COMMENT ON COLUMN seats.side IS 'Side the seat plays for.';
COMMENT ON COLUMN seats.player IS 'The player: one name for each person, and no two people with one name. It is the name that most records write, the id added to it where somebody else has it, or what the player was renamed to.';
COMMENT ON COLUMN seats.player_id IS 'Identity of the player, where the record gives one.';
COMMENT ON COLUMN seats.kind IS 'person or program, where the record says so.';
COMMENT ON COLUMN seats.role IS 'dealer, leader (who leads to the first trick) or other.';
COMMENT ON COLUMN seats.strength IS 'High cards in the hand dealt: ace 4, ten 3, king 2, queen 1; empty if a card is unknown.';
COMMENT ON COLUMN seats.points IS 'Points of the deal from all sources; empty, as those by source are, if the record leaves them open.';
COMMENT ON COLUMN seats.outcome IS '1 if the seat''s side has the most points of the deal, 0.5 if it shares them, else 0; empty if the points are open.';
COMMENT ON COLUMN seats.meld_points IS 'Points for melds.';
COMMENT ON COLUMN seats.dix_points IS 'Points for the seven of trumps, exchanged, shown or played.';
COMMENT ON COLUMN seats.turned_seven_points IS 'Points for turning up a seven as dealer.';
COMMENT ON COLUMN seats.tenth_trick_points IS 'Points for the last trick before the close, where the game has them.';
COMMENT ON COLUMN seats.last_trick_points IS 'Points for the last trick.';
COMMENT ON COLUMN seats.all_last_tricks_points IS 'Points for all tricks after the close.';
COMMENT ON COLUMN seats.brisques_points IS 'Points for brisques, where they score or count to settle the deal.';
COMMENT ON COLUMN seats.carte_blanche_points IS 'Points for carte blanche.';
COMMENT ON COLUMN seats.cut_points IS 'Points for cutting the exact packet.';
COMMENT ON COLUMN seats.guess_points IS 'Points for guessing the packet.';
COMMENT ON COLUMN seats.zetema_points IS 'Points for zetemas.';
COMMENT ON COLUMN seats.ruling_points IS 'Points given or taken by a ruling at the table.';
COMMENT ON COLUMN seats.melds IS 'Melds scored; empty where the points are open.';
COMMENT ON COLUMN seats.tricks IS 'Tricks won; empty where only scores are recorded.';
COMMENT ON COLUMN seats.brisques IS 'Aces and tens in the tricks won, whether they score or not; empty if the record leaves them open.';
COMMENT ON COLUMN seats.won_last_trick IS 'Whether the seat won the last trick of a complete deal.';
COMMENT ON COLUMN seats.opponent IS 'The other player, as in `player`; empty where there are more than two.';
COMMENT ON COLUMN seats.points_against IS 'Points of the deal of the best other side.';
COMMENT ON COLUMN seats.deal_tricks IS 'Tricks of the deal, whoever won them: its length.';
COMMENT ON COLUMN seats.brisques_missed IS 'Aces and tens led against the seat that it could lawfully have taken and did not; empty if its hand is not fully known.';
COMMENT ON COLUMN seats.match_score IS 'Points of the seat''s side in the match, before the deal.';
COMMENT ON COLUMN seats.match_score_against IS 'Points of the best other side in the match, before the deal.';
COMMENT ON COLUMN seats.match_outcome IS '1 if the seat''s side wins the match, 0.5 for a draw, else 0; empty if the match is not complete.';
COMMENT ON COLUMN seats.variant IS 'A number for the sheet, its edition and its options together.';
COMMENT ON COLUMN seats.month IS 'First day of the month in which the game was started, by the clock of the place.';
COMMENT ON COLUMN seats.program IS 'Program that wrote the record.';
COMMENT ON COLUMN seats.players IS 'Number of players of the game.';
COMMENT ON COLUMN seats.tricks_led IS 'Tricks that the seat led. This column and those down to `own_leads` sum rows of `tricks`, so that questions need not read them.';
COMMENT ON COLUMN seats.led_tricks_won IS 'Tricks that it led and won.';
COMMENT ON COLUMN seats.led_brisques IS 'Aces and tens in the tricks that it led.';
COMMENT ON COLUMN seats.let_go IS 'Aces and tens that it led and the second player could lawfully have taken and did not.';
COMMENT ON COLUMN seats.let_go_known IS 'Tricks that it led for which that is known.';
COMMENT ON COLUMN seats.points_ahead_led IS 'Points by which one side was ahead, summed over the tricks that it led.';
COMMENT ON COLUMN seats.tricks_ahead_led IS 'Tricks by which one side was ahead, summed over the tricks that it led.';
COMMENT ON COLUMN seats.leads IS 'Tricks that it led after which one side was ahead in points, in a deal that one side won.';
COMMENT ON COLUMN seats.leads_held IS 'Those of them after which the side that won the deal was ahead.';
COMMENT ON COLUMN seats.own_leads IS 'Points by which its own side was ahead, summed over all tricks of the deal.';
COMMENT ON COLUMN seats.scorings IS 'How often the seat scored, as the table `scores` has it; the columns that follow sum that table.';
COMMENT ON COLUMN seats.royal_melds IS 'Melds that are all trumps.';
COMMENT ON COLUMN seats.timed_melds IS 'Melds scored after the first trick.';
COMMENT ON COLUMN seats.meld_tricks IS 'Tricks completed when a meld was scored, summed over its melds.';
COMMENT ON COLUMN seats.points_of_partners IS 'Points of the deal of the seat''s partners: with its own, those of its side. 0 without partners; empty if the points are open.';
COMMENT ON COLUMN seats.trumps_led IS 'Trumps it led. This and the columns below count the cards of error-free deals; in others they are 0 or too small.';
COMMENT ON COLUMN seats.brisques_led IS 'Aces and tens it led.';
COMMENT ON COLUMN seats.brisques_played IS 'Aces and tens it played to tricks.';
COMMENT ON COLUMN seats.brisques_given IS 'Those of them that another seat took.';
COMMENT ON COLUMN seats.closed_tricks IS 'Tricks of the deal after the close: it played a card to each.';
COMMENT ON COLUMN seats.forced_cards IS 'Cards it played after the close without a choice. Told of games for two.';
COMMENT ON COLUMN seats.cards_thrown IS 'Cards with which it followed a lead before the close and did not take the trick.';
COMMENT ON COLUMN seats.cards_drawn IS 'Cards it drew from the stock.';
COMMENT ON COLUMN seats.cards_melded IS 'Cards in the melds it scored, each as often as it was in one.';

CREATE TABLE tricks (
    game BIGINT NOT NULL,
    deal SMALLINT NOT NULL,
    sheet VARCHAR NOT NULL,
    clean BOOLEAN NOT NULL,
    deal_winner UTINYINT,
    trick SMALLINT NOT NULL,
    event SMALLINT NOT NULL,
    closed BOOLEAN NOT NULL,
    leader UTINYINT NOT NULL,
    winner UTINYINT NOT NULL,
    brisques UTINYINT NOT NULL,
    tricks_ahead SMALLINT NOT NULL,
    points_ahead INTEGER NOT NULL,
    missed BOOLEAN,
    players UTINYINT NOT NULL,
    lead_gap SMALLINT NOT NULL,
    trumps UTINYINT NOT NULL,
    led VARCHAR,
    second VARCHAR,
    third VARCHAR,
    fourth VARCHAR,
    fifth VARCHAR,
    sixth VARCHAR,
    lead_forced BOOLEAN,
    reply_forced BOOLEAN
);
COMMENT ON TABLE tricks IS 'One row per completed trick.';
COMMENT ON COLUMN tricks.game IS 'Key of the game.';
COMMENT ON COLUMN tricks.deal IS 'Number of the deal in its game.';
COMMENT ON COLUMN tricks.sheet IS 'Rule sheet of the game.';
COMMENT ON COLUMN tricks.clean IS 'Whether the deal enters the statistics.';
COMMENT ON COLUMN tricks.deal_winner IS 'Side that has the most points of the deal; empty if the best are level.';
COMMENT ON COLUMN tricks.trick IS 'Number of the trick in its deal.';
COMMENT ON COLUMN tricks.event IS 'Index of the play that completed it.';
COMMENT ON COLUMN tricks.closed IS 'Whether it was led after the close.';
COMMENT ON COLUMN tricks.leader IS 'Seat that led.';
COMMENT ON COLUMN tricks.winner IS 'Seat that won.';
COMMENT ON COLUMN tricks.brisques IS 'Aces and tens in it.';
COMMENT ON COLUMN tricks.tricks_ahead IS 'Tricks of side 0 minus those of the others, after it. It tells who is ahead where there are two sides.';
COMMENT ON COLUMN tricks.points_ahead IS 'Points of side 0 minus those of the others, before the next trick is over: melds made after this trick count. It tells who is ahead where there are two sides.';
COMMENT ON COLUMN tricks.missed IS 'Whether an ace or ten was led that the second player could lawfully have taken and did not; empty if that hand is not fully known.';
COMMENT ON COLUMN tricks.players IS 'Number of players, who each play a card to it.';
COMMENT ON COLUMN tricks.lead_gap IS 'By how many events the play that led came before the one that completed it.';
COMMENT ON COLUMN tricks.trumps IS 'Which of its cards were trumps: 1 for the card led, 2 for the second, 4 for the third and so on, added up.';
COMMENT ON COLUMN tricks.led IS 'Card led, as `QS`, a ten as `T`; empty if the record does not show it. It never tells which of several like cards.';
COMMENT ON COLUMN tricks.second IS 'Card of the seat after the leader, likewise.';
COMMENT ON COLUMN tricks.third IS 'Card of the next seat; empty in games for two.';
COMMENT ON COLUMN tricks.fourth IS 'Card of the next seat; empty in games for fewer than four.';
COMMENT ON COLUMN tricks.fifth IS 'Card of the next seat; empty in games for fewer than five.';
COMMENT ON COLUMN tricks.sixth IS 'Card of the last of six seats.';
COMMENT ON COLUMN tricks.lead_forced IS 'Whether the leader had like cards only, and so no choice. Told of error-free deals for two.';
COMMENT ON COLUMN tricks.reply_forced IS 'Whether the second player had only one card, or like ones, that the rules allowed. Told of the same deals.';

CREATE TABLE scores (
    game BIGINT NOT NULL,
    deal SMALLINT NOT NULL,
    sheet VARCHAR NOT NULL,
    clean BOOLEAN NOT NULL,
    event SMALLINT NOT NULL,
    trick SMALLINT NOT NULL,
    seat UTINYINT NOT NULL,
    source VARCHAR NOT NULL,
    meld VARCHAR,
    royal BOOLEAN,
    points INTEGER NOT NULL,
    side UTINYINT NOT NULL,
    role VARCHAR NOT NULL
);
COMMENT ON TABLE scores IS 'One row per scoring event, as the rules compute it; rows that name a meld are melds.';
COMMENT ON COLUMN scores.game IS 'Key of the game.';
COMMENT ON COLUMN scores.deal IS 'Number of the deal in its game.';
COMMENT ON COLUMN scores.sheet IS 'Rule sheet of the game.';
COMMENT ON COLUMN scores.clean IS 'Whether the deal enters the statistics.';
COMMENT ON COLUMN scores.event IS 'Index of the event that scored; -1 for the deal itself.';
COMMENT ON COLUMN scores.trick IS 'Tricks completed when the points were scored; 0 before the first trick is over.';
COMMENT ON COLUMN scores.seat IS 'Seat that scored.';
COMMENT ON COLUMN scores.source IS 'meld, dix, turned_seven, tenth_trick, last_trick, all_last_tricks, brisques, carte_blanche, cut, guess, zetema or ruling.';
COMMENT ON COLUMN scores.meld IS 'Name of the meld; empty for other sources.';
COMMENT ON COLUMN scores.royal IS 'Whether all cards of the meld are trumps; empty for other sources.';
COMMENT ON COLUMN scores.points IS 'Points.';
COMMENT ON COLUMN scores.side IS 'Side that scored.';
COMMENT ON COLUMN scores.role IS 'dealer, leader (who leads to the first trick) or other.';

CREATE TABLE cards (
    game BIGINT NOT NULL,
    deal SMALLINT NOT NULL,
    sheet VARCHAR NOT NULL,
    clean BOOLEAN NOT NULL,
    event SMALLINT NOT NULL,
    seat UTINYINT NOT NULL,
    use VARCHAR NOT NULL,
    card VARCHAR
);
COMMENT ON TABLE cards IS 'One row per card that was drawn, scored in a meld or as a dix, or discarded on a pile (Zetema). The view plays has the cards played to tricks.';
COMMENT ON COLUMN cards.game IS 'Key of the game.';
COMMENT ON COLUMN cards.deal IS 'Number of the deal in its game.';
COMMENT ON COLUMN cards.sheet IS 'Rule sheet of the game.';
COMMENT ON COLUMN cards.clean IS 'Whether the deal enters the statistics.';
COMMENT ON COLUMN cards.event IS 'Index of the event; the cards of one meld have the same.';
COMMENT ON COLUMN cards.seat IS 'Seat that drew, melded or discarded it.';
COMMENT ON COLUMN cards.use IS 'draw, meld, dix or discard: what became of it.';
COMMENT ON COLUMN cards.card IS 'The card, as in tricks; empty if the record does not show it.';

CREATE TABLE trick_sums (
    sheet VARCHAR NOT NULL,
    clean BOOLEAN NOT NULL,
    trick SMALLINT NOT NULL,
    closed BOOLEAN NOT NULL,
    decided BOOLEAN NOT NULL,
    players UTINYINT NOT NULL,
    tricks_led BIGINT NOT NULL,
    led_tricks_won BIGINT NOT NULL,
    led_brisques BIGINT NOT NULL,
    let_go BIGINT NOT NULL,
    let_go_known BIGINT NOT NULL,
    points_ahead_led BIGINT NOT NULL,
    tricks_ahead_led BIGINT NOT NULL,
    leads BIGINT NOT NULL,
    leads_held BIGINT NOT NULL
);
COMMENT ON TABLE trick_sums IS 'What all tricks come to, by rule sheet, trick, phase and number of players, to be summed: what is loaded adds rows. The sums are named as in `seats`.';
COMMENT ON COLUMN trick_sums.sheet IS 'Rule sheet of the game.';
COMMENT ON COLUMN trick_sums.clean IS 'Whether the deal enters the statistics.';
COMMENT ON COLUMN trick_sums.trick IS 'Number of the trick in its deal.';
COMMENT ON COLUMN trick_sums.closed IS 'Whether it was led after the close.';
COMMENT ON COLUMN trick_sums.decided IS 'Whether one side has the most points of the deal.';
COMMENT ON COLUMN trick_sums.players IS 'Number of players.';
COMMENT ON COLUMN trick_sums.tricks_led IS 'Tricks.';
COMMENT ON COLUMN trick_sums.led_tricks_won IS 'Tricks won by their leader.';
COMMENT ON COLUMN trick_sums.led_brisques IS 'Aces and tens in them.';
COMMENT ON COLUMN trick_sums.let_go IS 'Aces and tens led that the second player could lawfully have taken and did not.';
COMMENT ON COLUMN trick_sums.let_go_known IS 'Tricks for which that is known.';
COMMENT ON COLUMN trick_sums.points_ahead_led IS 'Points by which one side was ahead after them, summed.';
COMMENT ON COLUMN trick_sums.tricks_ahead_led IS 'Tricks by which one side was ahead after them, summed.';
COMMENT ON COLUMN trick_sums.leads IS 'Tricks after which one side was ahead in points, in deals that one side won.';
COMMENT ON COLUMN trick_sums.leads_held IS 'Those of them after which the side that won the deal was ahead.';

CREATE TABLE play_sums (
    sheet VARCHAR NOT NULL,
    clean BOOLEAN NOT NULL,
    trick SMALLINT NOT NULL,
    closed BOOLEAN NOT NULL,
    place UTINYINT NOT NULL,
    card VARCHAR,
    trump BOOLEAN NOT NULL,
    took BOOLEAN NOT NULL,
    forced BOOLEAN,
    cards BIGINT NOT NULL
);
COMMENT ON TABLE play_sums IS 'How many cards were played to tricks, by what the view plays says of them, to be summed: what is loaded adds rows.';
COMMENT ON COLUMN play_sums.sheet IS 'Rule sheet of the game.';
COMMENT ON COLUMN play_sums.clean IS 'Whether the deal enters the statistics.';
COMMENT ON COLUMN play_sums.trick IS 'Number of the trick in its deal.';
COMMENT ON COLUMN play_sums.closed IS 'Whether it was led after the close.';
COMMENT ON COLUMN play_sums.place IS '0 for the card led, 1 for the second of the trick, and so on.';
COMMENT ON COLUMN play_sums.card IS 'Rank of the card, a ten as `T`; empty if the record does not show it.';
COMMENT ON COLUMN play_sums.trump IS 'Whether it was a trump.';
COMMENT ON COLUMN play_sums.took IS 'Whether it took the trick.';
COMMENT ON COLUMN play_sums.forced IS 'Whether it was forced; empty where that is not told.';
COMMENT ON COLUMN play_sums.cards IS 'Cards.';

CREATE TABLE card_sums (
    sheet VARCHAR NOT NULL,
    clean BOOLEAN NOT NULL,
    use VARCHAR NOT NULL,
    card VARCHAR,
    cards BIGINT NOT NULL
);
COMMENT ON TABLE card_sums IS 'How many rows cards has, by rule sheet, use and card, to be summed: what is loaded adds rows.';
COMMENT ON COLUMN card_sums.sheet IS 'Rule sheet of the game.';
COMMENT ON COLUMN card_sums.clean IS 'Whether the deal enters the statistics.';
COMMENT ON COLUMN card_sums.use IS 'draw, meld, dix or discard.';
COMMENT ON COLUMN card_sums.card IS 'The card, as in cards; empty if the record does not show it.';
COMMENT ON COLUMN card_sums.cards IS 'Cards.';

CREATE TABLE score_sums (
    sheet VARCHAR NOT NULL,
    clean BOOLEAN NOT NULL,
    source VARCHAR NOT NULL,
    meld VARCHAR,
    scorings BIGINT NOT NULL,
    points BIGINT NOT NULL,
    melds BIGINT NOT NULL,
    meld_points BIGINT NOT NULL,
    royal_melds BIGINT NOT NULL,
    timed_melds BIGINT NOT NULL,
    meld_tricks BIGINT NOT NULL
);
COMMENT ON TABLE score_sums IS 'What all scores come to, by rule sheet, source and meld, to be summed: what is loaded adds rows. The sums are named as in `seats`.';
COMMENT ON COLUMN score_sums.sheet IS 'Rule sheet of the game.';
COMMENT ON COLUMN score_sums.clean IS 'Whether the deal enters the statistics.';
COMMENT ON COLUMN score_sums.source IS 'Source of the points.';
COMMENT ON COLUMN score_sums.meld IS 'Name of the meld; empty for other sources.';
COMMENT ON COLUMN score_sums.scorings IS 'Scoring events.';
COMMENT ON COLUMN score_sums.points IS 'Points.';
COMMENT ON COLUMN score_sums.melds IS 'Melds.';
COMMENT ON COLUMN score_sums.meld_points IS 'Points for melds.';
COMMENT ON COLUMN score_sums.royal_melds IS 'Melds that are all trumps.';
COMMENT ON COLUMN score_sums.timed_melds IS 'Melds scored after the first trick.';
COMMENT ON COLUMN score_sums.meld_tricks IS 'Tricks completed when a meld was scored, summed over the melds.';

CREATE TABLE findings (
    game BIGINT NOT NULL,
    sheet VARCHAR NOT NULL,
    code VARCHAR NOT NULL,
    severity VARCHAR NOT NULL,
    deal SMALLINT,
    event SMALLINT,
    trick SMALLINT,
    seat UTINYINT,
    rule VARCHAR,
    message VARCHAR NOT NULL,
    tainted BOOLEAN
);
COMMENT ON TABLE findings IS 'One row per finding of the validation report.';
COMMENT ON COLUMN findings.game IS 'Key of the game.';
COMMENT ON COLUMN findings.sheet IS 'Rule sheet of the game.';
COMMENT ON COLUMN findings.code IS 'Stable code of the finding.';
COMMENT ON COLUMN findings.severity IS 'unreadable, illegal, mismatch, warning or note.';
COMMENT ON COLUMN findings.deal IS 'Number of the deal; empty if it concerns the whole record.';
COMMENT ON COLUMN findings.event IS 'Index of the event; empty if it concerns the deal.';
COMMENT ON COLUMN findings.trick IS 'Number of the trick.';
COMMENT ON COLUMN findings.seat IS 'Seat it concerns.';
COMMENT ON COLUMN findings.rule IS 'Article of the rule sheet.';
COMMENT ON COLUMN findings.message IS 'The finding in words.';
COMMENT ON COLUMN findings.tainted IS 'Whether something illegal happened in the deal at or before the event of the finding; for a finding on the deal itself, anywhere in the deal.';

CREATE TABLE imports (
    import BIGINT NOT NULL,
    name VARCHAR NOT NULL,
    path VARCHAR,
    size BIGINT,
    modified_ns BIGINT,
    job VARCHAR,
    started_at TIMESTAMP NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')
);
COMMENT ON TABLE imports IS 'One row per file that was imported or is being imported; its batches refer to it.';
COMMENT ON COLUMN imports.import IS 'Key of the import, made from path, size and time of change: a changed file is a new import.';
COMMENT ON COLUMN imports.name IS 'Name of the file, without its folder.';
COMMENT ON COLUMN imports.path IS 'Path of the file; empty for standard input.';
COMMENT ON COLUMN imports.size IS 'Bytes of the file as stored on disk.';
COMMENT ON COLUMN imports.modified_ns IS 'When the file was last changed, in nanoseconds since 1970.';
COMMENT ON COLUMN imports.job IS 'The background import it belongs to; empty on the command line.';
COMMENT ON COLUMN imports.started_at IS 'When the import was first started, in UTC.';

CREATE TABLE import_batches (
    import BIGINT NOT NULL,
    start BIGINT NOT NULL,
    stop BIGINT NOT NULL,
    line INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    final BOOLEAN NOT NULL,
    records INTEGER NOT NULL,
    stored INTEGER NOT NULL,
    known INTEGER NOT NULL,
    rejected INTEGER NOT NULL,
    deals INTEGER NOT NULL,
    events INTEGER NOT NULL,
    findings INTEGER NOT NULL,
    committed_at TIMESTAMP NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')
);
COMMENT ON TABLE import_batches IS 'One row per batch, committed together with its games: an interrupted import continues after its last batch.';
COMMENT ON COLUMN import_batches.import IS 'Key of the import.';
COMMENT ON COLUMN import_batches.start IS 'Offset of the batch''s first byte in the file, expanded where it is compressed.';
COMMENT ON COLUMN import_batches.stop IS 'Offset of the first byte after the batch.';
COMMENT ON COLUMN import_batches.line IS 'Line of the file at which the batch starts, from 1.';
COMMENT ON COLUMN import_batches.lines IS 'Line breaks in the batch.';
COMMENT ON COLUMN import_batches.final IS 'Whether the file ends with it.';
COMMENT ON COLUMN import_batches.records IS 'Records in the batch.';
COMMENT ON COLUMN import_batches.stored IS 'Records that were new and are stored.';
COMMENT ON COLUMN import_batches.known IS 'Records that were stored before.';
COMMENT ON COLUMN import_batches.rejected IS 'Records that could not be read or stored.';
COMMENT ON COLUMN import_batches.deals IS 'Deals in the records that were read.';
COMMENT ON COLUMN import_batches.events IS 'Events in the records that were read.';
COMMENT ON COLUMN import_batches.findings IS 'Findings in the records that were read.';
COMMENT ON COLUMN import_batches.committed_at IS 'When it was committed, in UTC.';

CREATE TABLE game_reviews (
    game BIGINT NOT NULL,
    digest VARCHAR NOT NULL,
    version VARCHAR NOT NULL,
    stage VARCHAR NOT NULL,
    terms JSON NOT NULL,
    data BLOB NOT NULL,
    made_at TIMESTAMP NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')
);
COMMENT ON TABLE game_reviews IS 'One row per reviewed game: what should have been played, stored beside the record and never in it.';
COMMENT ON COLUMN game_reviews.game IS 'Key of the game.';
COMMENT ON COLUMN game_reviews.digest IS 'SHA-256 of what was played, in hexadecimal: the record it belongs to.';
COMMENT ON COLUMN game_reviews.version IS 'Version of the review.';
COMMENT ON COLUMN game_reviews.stage IS 'How far it has got: `exact` with what is exact alone, `weighed` with every choice.';
COMMENT ON COLUMN game_reviews.terms IS 'Its terms, as JSON: the worlds, the seed, the limits, the roll-outs.';
COMMENT ON COLUMN game_reviews.data IS 'The review as JSON, compressed with zstd.';
COMMENT ON COLUMN game_reviews.made_at IS 'When it was made, in UTC.';

CREATE TABLE reviews (
    game BIGINT NOT NULL,
    deal SMALLINT NOT NULL,
    seat UTINYINT NOT NULL,
    clean BOOLEAN NOT NULL,
    lost INTEGER,
    choices SMALLINT NOT NULL,
    mistakes SMALLINT,
    melds_lost SMALLINT NOT NULL,
    melds_lost_points INTEGER NOT NULL,
    melds_delayed SMALLINT NOT NULL,
    melds_given_up SMALLINT NOT NULL,
    others_lost SMALLINT NOT NULL,
    brisques_let_go SMALLINT NOT NULL
);
COMMENT ON TABLE reviews IS 'One row per player''s deal in a reviewed game: what the player lost or missed.';
COMMENT ON COLUMN reviews.game IS 'Key of the game.';
COMMENT ON COLUMN reviews.deal IS 'Number of the deal in its game.';
COMMENT ON COLUMN reviews.seat IS 'Seat of the player.';
COMMENT ON COLUMN reviews.clean IS 'Whether the deal enters the statistics.';
COMMENT ON COLUMN reviews.lost IS 'Points lost after the close compared with best play; empty if the close was not solved completely.';
COMMENT ON COLUMN reviews.choices IS 'Decisions after the close: moments with more than one lawful move.';
COMMENT ON COLUMN reviews.mistakes IS 'Decisions that lost enough points to be mistakes; empty if the close was not solved completely.';
COMMENT ON COLUMN reviews.melds_lost IS 'Melds that were possible and never made.';
COMMENT ON COLUMN reviews.melds_lost_points IS 'What these melds would have scored.';
COMMENT ON COLUMN reviews.melds_delayed IS 'Melds that were made later than possible.';
COMMENT ON COLUMN reviews.melds_given_up IS 'Melds never made because something at least as good was.';
COMMENT ON COLUMN reviews.others_lost IS 'Dixes and cartes blanches that could have scored and never did.';
COMMENT ON COLUMN reviews.brisques_let_go IS 'Aces and tens led against the player that the player could lawfully have taken and did not.';

CREATE TABLE luck (
    game BIGINT NOT NULL,
    deal SMALLINT NOT NULL,
    seat UTINYINT NOT NULL,
    clean BOOLEAN NOT NULL,
    rollouts INTEGER NOT NULL,
    result INTEGER NOT NULL,
    average_deal DOUBLE NOT NULL,
    dealt DOUBLE NOT NULL,
    drawn DOUBLE NOT NULL,
    skill DOUBLE NOT NULL,
    skill_against DOUBLE NOT NULL,
    rest DOUBLE NOT NULL
);
COMMENT ON TABLE luck IS 'One row per player''s deal whose luck and skill were estimated, in points for the player.';
COMMENT ON COLUMN luck.game IS 'Key of the game.';
COMMENT ON COLUMN luck.deal IS 'Number of the deal in its game.';
COMMENT ON COLUMN luck.seat IS 'Seat of the player.';
COMMENT ON COLUMN luck.clean IS 'Whether the deal enters the statistics.';
COMMENT ON COLUMN luck.rollouts IS 'Roll-outs of every position.';
COMMENT ON COLUMN luck.result IS 'Points by which the player won the deal; all parts add up to it, but for rounding.';
COMMENT ON COLUMN luck.average_deal IS 'What such a deal brings the player on average, before any card is seen.';
COMMENT ON COLUMN luck.dealt IS 'What the cards dealt brought the player.';
COMMENT ON COLUMN luck.drawn IS 'What the cards drawn brought the player.';
COMMENT ON COLUMN luck.skill IS 'What the player''s decisions brought, compared with those of the players of the roll-outs.';
COMMENT ON COLUMN luck.skill_against IS 'What the opponent''s decisions cost the player.';
COMMENT ON COLUMN luck.rest IS 'What nobody decided.';

CREATE TABLE decisions (
    game BIGINT NOT NULL,
    deal SMALLINT NOT NULL,
    seat UTINYINT NOT NULL,
    clean BOOLEAN NOT NULL,
    event INTEGER NOT NULL,
    phase VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    choices SMALLINT NOT NULL,
    grade VARCHAR NOT NULL,
    certain BOOLEAN NOT NULL,
    lost DOUBLE NOT NULL,
    error DOUBLE NOT NULL
);
COMMENT ON TABLE decisions IS 'One row per decision in a game of which every choice was weighed: what a player chose where there was a choice, and what it cost.';
COMMENT ON COLUMN decisions.game IS 'Key of the game.';
COMMENT ON COLUMN decisions.deal IS 'Number of the deal in its game.';
COMMENT ON COLUMN decisions.seat IS 'Seat of the player.';
COMMENT ON COLUMN decisions.clean IS 'Whether the deal enters the statistics.';
COMMENT ON COLUMN decisions.event IS 'Number of the event in its deal; who melded nothing did so at the event that followed.';
COMMENT ON COLUMN decisions.phase IS 'When it was made: `stock` while cards are drawn, `last_trick` in the last trick before the close, `close` after it.';
COMMENT ON COLUMN decisions.kind IS 'What was done: `play`, `meld`, `exchange`, `show`, or `hold_back` for melding nothing where it was possible.';
COMMENT ON COLUMN decisions.choices IS 'How many choices there were.';
COMMENT ON COLUMN decisions.grade IS 'The grade: `best`, `good`, `inaccuracy`, `mistake`, `blunder`, `style` (a matter of it), or `too_close` to tell.';
COMMENT ON COLUMN decisions.certain IS 'Whether the loss is exact, and not estimated from possible deals.';
COMMENT ON COLUMN decisions.lost IS 'Points by which the best choice was better.';
COMMENT ON COLUMN decisions.error IS 'Standard error of the points lost; 0 where they are exact.';

CREATE TABLE renames (
    person VARCHAR NOT NULL,
    same_as VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    made_at TIMESTAMP NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')
);
COMMENT ON TABLE renames IS 'One row per player who was renamed, or made one with another; without its row everything is as before.';
COMMENT ON COLUMN renames.person IS 'Key of the player, as in games.persons.';
COMMENT ON COLUMN renames.same_as IS 'Key of whom the player is since; the same key if only the name is another.';
COMMENT ON COLUMN renames.name IS 'The name since.';
COMMENT ON COLUMN renames.made_at IS 'When it was done, in UTC.';

CREATE TABLE corrections (
    game BIGINT NOT NULL,
    number INTEGER NOT NULL,
    subject VARCHAR NOT NULL,
    place SMALLINT,
    value VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    made_by VARCHAR NOT NULL,
    undone_by VARCHAR,
    undone_at TIMESTAMP,
    made_at TIMESTAMP NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')
);
COMMENT ON TABLE corrections IS 'One row per correction of what a record tells of its occasion: the rows of its game follow those that are not undone, the last of each fact. The record stays as it was uploaded.';
COMMENT ON COLUMN corrections.game IS 'Key of the game.';
COMMENT ON COLUMN corrections.number IS 'Number of the correction among those of its game, from 1.';
COMMENT ON COLUMN corrections.subject IS 'What is corrected: name, id, date, event, round, table, site, comment or note.';
COMMENT ON COLUMN corrections.place IS 'Seat of a name or an id, or number of a note, from 0.';
COMMENT ON COLUMN corrections.value IS 'What is told since; empty if nothing is.';
COMMENT ON COLUMN corrections.reason IS 'Why; empty if nobody said.';
COMMENT ON COLUMN corrections.made_by IS 'Who made it: admin, person, command, sender, or token and its name.';
COMMENT ON COLUMN corrections.undone_by IS 'Who undid it; empty while it holds.';
COMMENT ON COLUMN corrections.undone_at IS 'When it was undone, in UTC.';
COMMENT ON COLUMN corrections.made_at IS 'When it was made, in UTC.';

CREATE TABLE evening_steps (
    evening BIGINT NOT NULL,
    number INTEGER NOT NULL,
    content VARCHAR NOT NULL,
    made_by VARCHAR NOT NULL,
    made_at TIMESTAMP NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')
);
COMMENT ON TABLE evening_steps IS 'One row per step of an evening of a club: who came, who was paired, what was typed. What holds follows from them.';
COMMENT ON COLUMN evening_steps.evening IS 'Number of the evening.';
COMMENT ON COLUMN evening_steps.number IS 'Number of the step in it, from 1.';
COMMENT ON COLUMN evening_steps.content IS 'The step, as JSON; analyzer/players/evenings.py says what it may be.';
COMMENT ON COLUMN evening_steps.made_by IS 'Who made it: admin, person, or token and its name.';
COMMENT ON COLUMN evening_steps.made_at IS 'When it was made, in UTC.';

CREATE TABLE studies (
    study VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    content VARCHAR NOT NULL,
    visibility VARCHAR NOT NULL,
    size INTEGER NOT NULL,
    made_by VARCHAR NOT NULL,
    made_at TIMESTAMP NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')
);
COMMENT ON TABLE studies IS 'One row per change of a study, with the whole of it; the last holds.';
COMMENT ON COLUMN studies.study IS 'Public id of the study.';
COMMENT ON COLUMN studies.number IS 'Number of the change, from 1.';
COMMENT ON COLUMN studies.content IS 'The study, as JSON; empty if it was deleted.';
COMMENT ON COLUMN studies.visibility IS 'Who sees it: private, unlisted or public.';
COMMENT ON COLUMN studies.size IS 'Bytes of the content.';
COMMENT ON COLUMN studies.made_by IS 'Who made the change: admin, person, author, or token and its name.';
COMMENT ON COLUMN studies.made_at IS 'When it was made, in UTC.';

CREATE TABLE work_requests (
    kind VARCHAR NOT NULL,
    digest VARCHAR NOT NULL,
    terms VARCHAR NOT NULL,
    resumed SMALLINT NOT NULL,
    asked_at TIMESTAMP NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')
);
COMMENT ON TABLE work_requests IS 'One row per estimate of luck and deep review that was asked for and is not finished: the server goes on with it when it starts again.';
COMMENT ON COLUMN work_requests.kind IS 'What was asked for: `roll-outs` or `deep reviews`.';
COMMENT ON COLUMN work_requests.digest IS 'Digest of the game.';
COMMENT ON COLUMN work_requests.terms IS 'On what terms, as JSON.';
COMMENT ON COLUMN work_requests.resumed IS 'How often a server that started went on with it: what no server ever finishes is given up.';
COMMENT ON COLUMN work_requests.asked_at IS 'When it was asked for, in UTC.';

CREATE VIEW stored_games AS
SELECT * FROM games
UNION ALL BY NAME
SELECT * FROM other_games;
COMMENT ON VIEW stored_games IS 'One row per stored record: those of games, and those of other_games.';

CREATE VIEW clean_deals AS SELECT * FROM deals WHERE clean;
COMMENT ON VIEW clean_deals IS 'The deals that enter the statistics.';

CREATE VIEW melds AS
SELECT game, deal, sheet, clean, event, trick, seat, meld, royal, points, side, role
FROM scores
WHERE meld IS NOT NULL;
COMMENT ON VIEW melds IS 'One row per scored meld.';

CREATE VIEW plays AS
SELECT
    game, deal, sheet, clean, trick, closed, led, event - lead_gap AS event, leader AS seat, 0::UTINYINT AS place,
    led AS card, (trumps & 1) > 0 AS trump, leader = winner AS took, lead_forced AS forced
FROM tricks
UNION ALL
SELECT
    game, deal, sheet, clean, trick, closed, led, if(players = 2, event, NULL), (leader + 1) % players, 1, second,
    (trumps & 2) > 0, (leader + 1) % players = winner, reply_forced
FROM tricks
UNION ALL
SELECT
    game, deal, sheet, clean, trick, closed, led, if(players = 3, event, NULL), (leader + 2) % players, 2, third,
    (trumps & 4) > 0, (leader + 2) % players = winner, NULL
FROM tricks
WHERE players > 2
UNION ALL
SELECT
    game, deal, sheet, clean, trick, closed, led, if(players = 4, event, NULL), (leader + 3) % players, 3, fourth,
    (trumps & 8) > 0, (leader + 3) % players = winner, NULL
FROM tricks
WHERE players > 3
UNION ALL
SELECT
    game, deal, sheet, clean, trick, closed, led, if(players = 5, event, NULL), (leader + 4) % players, 4, fifth,
    (trumps & 16) > 0, (leader + 4) % players = winner, NULL
FROM tricks
WHERE players > 4
UNION ALL
SELECT
    game, deal, sheet, clean, trick, closed, led, if(players = 6, event, NULL), (leader + 5) % players, 5, sixth,
    (trumps & 32) > 0, (leader + 5) % players = winner, NULL
FROM tricks
WHERE players > 5;
COMMENT ON VIEW plays IS 'One row per card played to a trick that was completed: what was led, and whether the card took it.';

CREATE VIEW variants AS
SELECT variant, any_value(sheet) AS sheet, any_value(edition) AS edition, any_value(options) AS options
FROM games
GROUP BY variant;
COMMENT ON VIEW variants IS 'One row per set of rules that was played: a sheet, its edition, and every option with its value.';
