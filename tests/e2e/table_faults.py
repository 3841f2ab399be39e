"""What can be wrong with the cards on a felt, as scripts for the browser."""

CARDS_OUT = """() => {
    const felt = document.querySelector("[data-felt]").getBoundingClientRect();
    return [...document.querySelectorAll("[data-felt] .card > svg")]
        .map((card) => card.getBoundingClientRect())
        .filter((card) => card.width < 27 || card.left < felt.left - 1
            || card.right > felt.right + 1 || card.top < felt.top - 1
            || card.bottom > felt.bottom + 1)
        .map((card) => [card.left, card.top, card.right, card.bottom].map(Math.round));
}"""
"""The cards that stick out of the felt, or are too narrow to be read."""
CARDS_COVERED = """() => {
    const whole = (list) => [...list.querySelectorAll(".card:not(.lifted) > svg")]
        .map((card) => card.getBoundingClientRect());
    const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
        && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const lists = [...document.querySelectorAll(".hand, .laid, .tableau")].map(whole);
    return lists.flatMap((list, i) => lists.slice(i + 1).flatMap((other) =>
        list.filter((card) => other.some((one) => over(card, one))))).length;
}"""
"""How many cards of a hand, meld or pile lie under or over those of another."""
TRICK_COVERED = CARDS_COVERED.replace(".tableau", ".trick")
"""How many cards of a hand, meld or trick lie under or over those of another."""
NAMES_COVERED = """() => {
    const cards = [...document.querySelectorAll("[data-felt] .card > svg")].map((card) => card.getBoundingClientRect());
    const places = "[data-felt] :is(.plate-name, .plate-points, .group:not(.tableau *) > .group-name)";
    return [...document.querySelectorAll(places)].filter((name) => name.checkVisibility()).filter((name) => {
        const box = name.getBoundingClientRect();
        return cards.some((card) => card.left < box.right - 1 && box.left < card.right - 1
            && card.top < box.bottom - 3 && box.top < card.bottom - 3);
    }).map((name) => name.textContent.trim());
}"""
"""The names and points, and the names of melds, that a card lies over."""
