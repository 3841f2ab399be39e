// Fingers on the felt: a swipe to the left leads on, a tap beside the cards leads to the side that was tapped.
const FAR = 48; // pixels: shorter is a tap, or a finger that slipped
const TAP = 10;

export function bindTouch(felt, follow) {
  let start = null;
  felt.addEventListener(
    "touchstart",
    (event) => {
      start =
        event.touches.length === 1
          ? { x: event.touches[0].clientX, y: event.touches[0].clientY }
          : null;
    },
    { passive: true },
  );
  felt.addEventListener(
    "touchend",
    (event) => {
      if (!start || event.changedTouches.length !== 1) return;
      const x = event.changedTouches[0].clientX - start.x;
      const y = event.changedTouches[0].clientY - start.y;
      if (Math.abs(x) > FAR && Math.abs(x) > 2 * Math.abs(y)) follow(x < 0 ? "on" : "back");
      else if (Math.hypot(x, y) < TAP && !event.target.closest("[data-card], a, button")) {
        const { left, width } = felt.getBoundingClientRect();
        follow(start.x > left + width / 2 ? "on" : "back");
      }
      start = null;
    },
    { passive: true },
  );
  felt.addEventListener(
    "touchcancel",
    () => {
      start = null;
    },
    { passive: true },
  );
}
