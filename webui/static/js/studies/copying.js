// Beside a link a button copies it, and says that it did.
import { copyText } from "./clipboard.js";

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    if (await copyText(field.value)) button.textContent = "Copied";
    else field.select();
  });
}
performance.mark("ready");
