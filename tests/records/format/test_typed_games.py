"""One deal as fifty people type it: each gives the record that was meant, and what has several readings is asked."""

import pytest
from msgspec.structs import replace

from records.events import AnyEvent, Trick
from records.format import codec
from records.format.open_readings import choose_reading, find_open_places
from records.record import Record
from records.validator import check

HEAD = """[bezique 1.0]
[rules marjolet]
[player a "Ann"]
[player b "Bob"]
[deal a]
[knowledge public]
[turn_up JH]
"""
EVENTS = """1. b:7C 8D
2. b:8S JS a:dix(exchange)
3. a:9D JC
4. a:JH TS
5. a:TD AH b:marriage(KD QD)
"""
TYPED_EVENTS = {
    "glued": """7C8D
8SJS a:dix(exchange)
9DJC
JHTS
TDAH b:marriage(KDQD)
""",
    "x captures": """7C x 8D
8S x JS a:dix(exchange)
9D x JC
JHxTS
10DxAH b:marriage(KD QD)
""",
    "hyphen glued": """7C-8D
8S-JS a: dix exchange
9D-JC
JH-10S
10D-AH b: marriage KD-QD
""",
    "german": """1. b: Kreuz 7, Karo 8
2. b: Pik 8, Pik Bube; a: dix (exchange)
3. a: Karo 9, Kreuz Bube
4. a: Herz Bube, Pik 10
5. a: Karo 10, Herz As; b: Mariage in Karo
""",
    "german rank first": """1. b: 7 Kreuz 8 Karo
2. b: 8 Pik, Bube Pik a: dix exchange
3. a: 9 Karo Bube Kreuz
4. a: Bube Herz, 10 Pik
5. a: 10 Karo, As Herz b Mariage Karo
""",
    "german compound": """1. b: Kreuz-Sieben Karo-Acht
2. b: Pik-Acht Pik-Bube a: dix exchange
3. a: Karo-Neun Kreuz-Bube
4. a: Herz-Bube Pik-Zehn
5. a: Karo-Zehn Herz-Ass b: Mariage (Karo-König, Karo-Dame)
""",
    "german letters": """1. b: ♣7 ♦8
2. b: ♠8 ♠B a: dix exchange
3. a: ♦9 ♣B
4. a: ♥B ♠10
5. a: ♦10 ♥A b: Mariage (♦K ♦D)
""",
    "french": """1. b: 7 de trèfle, 8 de carreau
2. b: 8 de pique, valet de pique; a: dix (exchange)
3. a: 9 de carreau, valet de trèfle
4. a: valet de cœur, dix de pique
5. a: dix de carreau, as de coeur; b: mariage (roi de carreau, dame de carreau)
""",
    "french signs": """1. b: 7♣ 8♦
2. b: 8♠ V♠ a: dix exchange
3. a: 9♦ V♣
4. a: V♥ 10♠
5. a: 10♦ A♥ b: mariage R♦ D♦
""",
    "polish": """1. b: 7♣ 8♦
2. b: 8♠ W♠ a: dix exchange
3. a: 9♦ W♣
4. a: walet kier, 10♠
5. a: 10♦ as kier b: mariaż K♦ D♦
""",
    "czech": """1. b: 7♣ 8♦
2. b: 8♠ J♠ a: dix exchange
3. a: 9♦ J♣
4. a: kluk srdce, 10♠
5. a: 10♦ eso srdce b: mariáž K♦ D♦
""",
    "suit word first": """1. b: clubs 7, diamonds 8
2. b: spade 8, spades jack a: dix exchange
3. a: diamonds nine, clubs J
4. a: hearts jack, spades 10
5. a: diamonds 10, hearts ace b: marriage (diamonds king, diamonds queen)
""",
    "winner in brackets": """1. 7C 8D (b)
2. 8S JS (a) a:dix(exchange)
3. 9D JC (a)
4. JH TS (Ann)
5. TD AH (Bob) b:marriage(KD QD)
""",
    "winner behind": """1. 7C 8D b
2. 8S JS Ann; a:dix(exchange)
""",
    "winner arrow": """1. 7C 8D -> b
2. 8S JS => Ann a:dix(exchange)
3. 9D JC → a
4. JH TS won by Ann
5. TD AH (won by Bob) b:marriage(KD QD)
""",
    "stars": """1. 7C* 8D
2. 8S JS* a:dix(exchange)
3. 9D* JC
4. JH* TS
5. TD AH* b:marriage(KD QD)
""",
    "exclamations": """1. 7C! 8D
2. 8S!? JS a:dix(exchange)
3. 9D JC!!
4. JH! TS
5. TD AH b:marriage(KD QD)
""",
    "markdown": """| 1 | 7C | 8D |
| 2 | 8S | JS | a:dix(exchange) |
| 3 | 9D | JC |
| 4 | JH | TS |
| 5 | TD | AH | b:marriage(KD QD) |
""",
    "tabs": "1\t7C\t8D\n2\t8S\tJS\ta:dix(exchange)\n3\t9D\tJC\n4\tJH\tTS\n5\tTD\tAH\tb:marriage(KD QD)\n",
    "stich": """Stich 1: 7C 8D
Stich 2: 8S JS a:dix(exchange)
Pli 3: 9D JC
Levée 4: JH TS
Trick no. 5: TD AH b:marriage(KD QD)
""",
    "hash numbers": """No. 1: 7C 8D
Nr 2: 8S JS a:dix(exchange)
#3 is a comment
N° 3: 9D JC
4: JH TS
5: TD AH b:marriage(KD QD)
""",
    "verbs": """Bob leads 7C, Ann follows 8D
Bob leads 8S, Ann follows with the JS; Ann exchanges the 7
Ann leads 9D, Bob throws JC
Ann leads the jack of hearts, Bob answers TS
Ann leads 10D, Bob trumps with AH; Bob melds a marriage in diamonds
""",
    "melds short": """1. b:7C 8D
2. b:8S JS a:exch. 7
3. a:9D JC
4. a:JH TS
5. a:TD AH b:mar. KD QD
""",
    "melds short2": """1. b:7C 8D
2. b:8S JS a:dix exch.
3. a:9D JC
4. a:JH TS
5. a:TD AH b:marr KD+QD
""",
    "plus between": """1. b:7C 8D
2. b:8S JS a:dix(exchange)
3. a:9D JC
4. a:JH TS
5. a:TD AH b:marriage KD + QD
""",
    "KQ suit": """1. b:7C 8D
2. b:8S JS a:dix(exchange)
3. a:9D JC
4. a:JH TS
5. a:TD AH b:marriage KQ diamonds
""",
    "KQD": """1. b:7C 8D
2. b:8S JS a:dix(exchange)
3. a:9D JC
4. a:JH TS
5. a:TD AH b: marriage KQ♦
""",
    "diamond marriage": """1. b:7C 8D
2. b:8S JS a:dix(exchange)
3. a:9D JC
4. a:JH TS
5. a:TD AH b: diamond marriage
""",
    "seven for": """1. b:7C 8D
2. b:8S JS a exchanges 7H for JH
3. a:9D JC
4. a:JH TS
5. a:TD AH b: marriage of diamonds
""",
    "steals": """1. b:7C 8D
2. b:8S JS a takes the JH for 7H
""",
    "X tens": """1. b:7C 8D
2. b:8S JS a:dix(exchange)
3. a:9D JC
4. a:JH XS
5. a:X♦ AH b:marriage(KD QD)
""",
    "suit abbreviations": """1. b:7Cl 8Di
2. b:8Sp JSp a:dix(exchange)
3. a:9Dia JCl
4. a:JH TSp
5. a:TDia AH b:marriage(KDia QDia)
""",
    "of abbreviations": """1. b:7 of C, 8 of D
2. b:8 of S, J of S a:dix(exchange)
3. a:9 of D, J of C
4. a:J of H, 10 of S
5. a:10 of D, A of H b:marriage(K of D, Q of D)
""",
    "blank inside": """1. b: 7 C, 8 D
2. b: 8 S, J S a:dix(exchange)
3. a: 9 D, J C
4. a: J H, 10 S
5. a: 10 D, A H b:marriage(K D, Q D)
""",
    "equals winner": """1. 7C 8D = b
2. 8S JS = a, a:dix(exchange)
""",
    "dots between": """1. b 7C . 8D
""",
    "lines apart": """1. b: 7C
   a: 8D
2. b: 8S
   a: JS
   a: dix (exchange)
3. a: 9D
   b: JC
4. a: JH
   b: TS
5. a: TD
   b: AH
   b: marriage KD QD
""",
    "bullets": """- b: 7C 8D
- b: 8S JS a: dix (exchange)
* a: 9D JC
• a: JH TS
– a: TD AH, b: marriage KD QD
""",
    "dash numbers": """1- b:7C 8D
2- b:8S JS a:dix(exchange)
3 - a:9D JC
4.) a:JH TS
5/ a:TD AH b:marriage(KD QD)
""",
    "score columns": """1. b:7C 8D 0 0
2. b:8S JS a:dix(exchange) 10 0
3. a:9D JC 10 | 0
4. a:JH TS 10/0
5. a:TD AH b:marriage(KD QD) 10 - 20
""",
    "score words": """1. b:7C 8D (0)
2. b:8S JS a:dix(exchange) [10-0]
3. a:9D JC A:10 B:0
""",
    "marriage scored 20": """1. b:7C 8D
2. b:8S JS a:dix(exchange)
3. a:9D JC
4. a:JH TS
5. a:TD AH b:marriage(KD QD), 20
""",
    "marriage colon 20": """1. b:7C 8D
2. b:8S JS a:dix(exchange): 10
3. a:9D JC
4. a:JH TS
5. a:TD AH b:marriage(KD QD): 20
""",
    "scores 20": """1. b:7C 8D
2. b:8S JS a:dix(exchange)
3. a:9D JC
4. a:JH TS
5. a:TD AH b scores marriage KD QD
""",
    "possessive": """1. Bob's 7C, Ann's 8D
""",
    "and": """1. Bob 7C & Ann 8D
2. Bob 8S and Ann JS, then Ann exchanges the seven
""",
    "prose": """Bob plays the seven of clubs and Ann the eight of diamonds.
Bob plays the eight of spades and Ann the jack of spades. Ann exchanges the dix.
Ann plays the nine of diamonds, Bob the jack of clubs.
Ann plays the jack of hearts, Bob the ten of spades.
Ann plays the ten of diamonds, Bob the ace of hearts. Bob melds a marriage in diamonds.
""",
    "period ends": """1. b:7C 8D.
2. b:8S JS. a:dix(exchange).
3. a:9D JC.
4. a:JH TS.
5. a:TD AH. b:marriage(KD QD).
""",
    "semicolons": """1. b:7C; a:8D
2. b:8S; a:JS; a:dix(exchange)
3. a:9D; b:JC
4. a:JH; b:TS
5. a:TD; b:AH; b:marriage(KD QD)
""",
    "equals seat": """1. b=7C a=8D
2. b=8S a=JS a=dix(exchange)
3. a=9D b=JC
4. a=JH b=TS
5. a=TD b=AH b=marriage(KD QD)
""",
    "dash seat": """1. b - 7C, a - 8D
""",
    "brackets seat": """1. (b) 7C (a) 8D
2. (b) 8S (a) JS (a) dix exchange
3. (a) 9D (b) JC
4. (a) JH (b) TS
5. (a) TD (b) AH (b) marriage KD QD
""",
    "dot seat": """1. B. 7C A. 8D
2. B. 8S A. JS A. dix exchange
3. A. 9D B. JC
4. A. JH B. TS
5. A. TD B. AH B. marriage KD QD
""",
}
"""Each is the deal, or its first tricks."""
TYPED_HEADS = {
    "lines of title": """Marjolet
Ann v Bob
5 March 2026
Ann deals
Turn-up: JH
""",
    "title colon": """Marjolet: Ann vs Bob
Dealer Ann
Turn up JH
""",
    "title par": """Ann (dealer) - Bob, Marjolet, turn-up JH
""",
    "deal 1": """Game: Marjolet
Players: Ann and Bob
Deal 1
Dealer: Ann
Turn-up: jack of hearts
""",
    "deal one line": """Rules = Marjolet
Player A = Ann
Player B = Bob
Dealer = A
Turned up = JH
""",
    "A: Ann": """Marjolet
A: Ann
B: Bob
Dealer: A
Turn-up: JH
""",
    "A = Ann": """Marjolet
A = Ann, B = Bob
Dealer: A
Turn-up: JH
""",
    "german head": """Spiel: Marjolet
Spieler: Ann, Bob
Datum: 25.3.2026
Geber: Ann
Aufgedeckt: Herz Bube
""",
    "french head": """Jeu : Marjolet
Joueurs : Ann, Bob
Date : 25 mars 2026
Donneur : Ann
Retourne : V♥
""",
    "score at end": """[rules marjolet]
[player Ann]
[player Bob]
[deal Ann]
[knowledge public]
[turn-up JH]
""",
    "trump card": """Rules: Marjolet
Players: Ann, Bob
Dealer: Ann
Trump card: JH
""",
    "trump": """Rules: Marjolet
Players: Ann, Bob
Dealer: Ann
Trumps: JH
""",
}
"""Each says what HEAD says."""


def read(text: str) -> Record:
    record = codec.decode(text.encode()).record
    assert record is not None, [finding.message for finding in check(text.encode()).findings][:2]
    return record


def happened(record: Record) -> list[AnyEvent]:
    """What was played and shown, without claims."""
    events = [event for event in record.deals[0].events if not isinstance(event, Trick)]
    return [replace(event, points=None) if hasattr(event, "points") else event for event in events]


MEANT = happened(read(HEAD + EVENTS))


@pytest.mark.parametrize("habit", TYPED_EVENTS)
def test_events_are_understood_however_they_are_typed(habit: str) -> None:
    record = read(HEAD + TYPED_EVENTS[habit])
    found = happened(record)
    assert found == MEANT[: len(found)]
    assert len(found) == len(MEANT) or TYPED_EVENTS[habit].count("\n") < 5
    assert check(codec.encode(record)).verdict in ("legal", "incomplete", "undetermined")


@pytest.mark.parametrize("habit", TYPED_HEADS)
def test_what_stands_above_the_events_is_understood_however_it_is_typed(habit: str) -> None:
    record = read(TYPED_HEADS[habit] + EVENTS)
    assert [player.name for player in record.players] == ["Ann", "Bob"]
    [deal] = record.deals
    meant = ("marjolet", 0, "JH", "public")
    assert (record.rules.id, deal.dealer, deal.turn_up, deal.knowledge) == meant
    assert happened(record) == MEANT


ASKED = [
    ("b: RC 8D", "RC", ("KC", "KH")),
    ("b: VC 8D", "VC", ("JC", "JH")),
    ("b: KS?", "KS?", ("KS", "KS ??")),
    ("b: KS; a: 1D", "1D", ("AD", "TD")),
    ("b: 9S 8S b: marriage 20", "marriage", ("marriage(KC QC)", "marriage(KD QD)", "marriage(KS QS)")),
    ("[date Friday 5 March 2026]", "Friday 5 March 2026", ("2026-03-05", "2026-03-06", "2027-03-05")),
    ("[date 5 March 2026 (Wed)]", "5 March 2026 (Wed)", ("2026-03-05", "2026-03-04", "2025-03-05")),
    ('[meta date "Friday 5 March 2026"]', "Friday 5 March 2026", ("2026-03-05", "2026-03-06", "2027-03-05")),
    ("[date Friday 5/3/2026]", "Friday 5/3/2026", ("2026-03-05", "2026-05-03")),
]  # fmt: skip


@pytest.mark.parametrize(("line", "written", "readings"), ASKED)
def test_what_has_several_readings_is_asked_and_each_can_be_chosen(
    line: str, written: str, readings: tuple[str, ...]
) -> None:
    at = HEAD.index("[deal a]") if line.startswith("[") else len(HEAD)
    text = f"{HEAD[:at]}{line}\n{HEAD[at:]}"
    [place] = find_open_places(text)
    assert (place.written, place.readings) == (written, readings)
    for reading in readings:
        read(choose_reading(text, place.line, place.column, reading))


@pytest.mark.parametrize(
    ("typed", "date"),
    [
        ("Thursday 5/3/2026", "2026-03-05"),
        ("Sunday, 5/3/2026", "2026-05-03"),
        ("5 marca 2026", "2026-03-05"),
        ("čtvrtek 5. března 2026", "2026-03-05"),
        ("5 March 2026 (Thu)", "2026-03-05"),
    ],
)
def test_the_day_of_the_week_decides_or_agrees(typed: str, date: str) -> None:
    assert read(HEAD.replace("[deal a]", f"[date {typed}]\n[deal a]")).meta == {"date": date}


def test_the_next_deal_and_the_scores_are_understood() -> None:
    text = f"{HEAD}b: 7C 8D\nAnn 90, Bob 80\nDeal 2 (Bob deals)\nTurn-up: 9H\na: KS 8D\n"
    first, second = read(text).deals
    assert first.claims is not None
    assert first.claims.scores == [90, 80]
    assert (second.dealer, second.turn_up, len(second.events)) == (1, "9H", 2)


@pytest.mark.parametrize(
    ("rest", "events"), [("a:8D", 2), ("a:8D; nice", 2), ("8D was better", 1), ("a:QS?", 1), ("nice", 1)]
)  # fmt: skip
def test_behind_a_semicolon_stands_an_event_or_a_comment(rest: str, events: int) -> None:
    assert len(read(f"{HEAD}b:7c; {rest}\n").deals[0].events) == events


@pytest.mark.parametrize(
    ("rules", "turn_up", "meld", "cards"),
    [
        ("bezique", "9H", "bezique 40", {"QS", "JD"}),
        ("bezique", "9H", "royal marriage", {"KH", "QH"}),
        ("bezique", "9H", "sequence", {"AH", "TH", "KH", "QH", "JH"}),
        ("marjolet", "JH", "four aces 100", {"AS", "AH", "AD", "AC"}),
    ],
)
def test_a_meld_named_alone_has_the_cards_that_the_rules_leave(
    rules: str, turn_up: str, meld: str, cards: set[str]
) -> None:
    head = HEAD.replace("marjolet", rules).replace("JH", turn_up)
    assert set(read(f"{head}b: 9S 8S b {meld}\n").deals[0].events[-1].cards) == cards
    with_option = head.replace("[player a", "[option target 1500]\n[player a")
    assert codec.decode(f"{with_option}b: 9S 8S b {meld}\n".encode()).record is None


def test_letters_of_other_languages_take_nothing_from_those_of_english() -> None:
    """A lone letter of a seat stays one, and points stay points."""
    for typed, plain in [
        ("b: KD 8D b marriage KC QC 10p", "b:KD 8D b:marriage(KC QC)=10"),
        ("b dt a d7", "b:TD 7D"),
        ("7 b pik-könig karo-acht", "b:KS 8D"),
        ("7 pik-könig karo-acht", "b:KS 8D"),
        ("b: 7 hearts a 8 hearts", "b:7H a:8H"),
    ]:
        assert read(HEAD + typed).deals == read(HEAD + plain).deals
