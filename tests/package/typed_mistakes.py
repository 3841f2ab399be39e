"""Mistakes that type checkers find; nobody runs this."""

from bezique import Card, Game, Meld, Play, Position, Rules, Setup, check, play, review

game = Game("zique")
game.meld("marrige", ["KS", "QS"])  # mistake
game.meld("marriage", ["KS", "QX"])  # mistake
game.play("10S")  # mistake
game.draw(1)  # mistake
Game("ziqe")  # mistake
card: Card = "SK"  # mistake
Meld(seat=0, meld="bezik", cards=["QS", "JD"])  # mistake
Play(seat="Ann", card="KS")  # mistake
Rules(id="zetma")  # mistake
Setup(hands=[["AS"], ["9Z"]], seat=0)  # mistake
print(any(finding.code == "must-folow-suit" for finding in check(game.record).findings))  # mistake
play("zique", ["clever", "simple"])  # mistake
play("zique", [lambda view: view.hand, "simple"])  # mistake
position: Position = game.view("Ann")  # mistake
print(review(game).deals)  # mistake
