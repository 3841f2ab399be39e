// A link to the page of the player that the reader is, as the device keeps it.
export const OWN_NAME = "me";

const place = document.querySelector("[data-own-page]");
try {
  const name = localStorage.getItem(OWN_NAME);
  if (place && name) {
    const link = document.createElement("a");
    link.href = place.dataset.ownPage.replace("PLAYER", encodeURIComponent(name));
    link.textContent = `${name} (you)`;
    place.append(link);
    place.hidden = false;
  }
} catch {
  // A device that keeps nothing knows nobody.
}
