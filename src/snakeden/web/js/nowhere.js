// What an address shows that leads nowhere: that it does, and the way back.

import { h } from "./dom.js";
import { t } from "./i18n.js";

/** @param {string} [reason] */
export function nothingHere(reason = t("notFound")) {
  return h("div", { class: "nowhere", role: "alert" },
    h("img", { src: "covers/asleep.svg", alt: "", width: 208, height: 104 }), h("h1", {}, reason), h("p", {}, t("notFoundHelp")),
    h("p", {}, h("a", { class: "button main", href: "#/" }, t("home"))));
}
