// A page whose address changed without loading: going back to the address before loads what was there.
addEventListener("popstate", () => {
  if (!location.hash) location.reload();
});
