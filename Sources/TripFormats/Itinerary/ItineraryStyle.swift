import EventLog
import Events
import Foundation

/// The style of an itinerary: for phones, for screens and for paper.
///
/// No element has a fixed height, long words wrap anywhere, and items are blocks without grids or flexible boxes, which all browsers break
/// across pages at lines. On paper an item stays on one page if it fits on one.
enum ItineraryStyle {
    /// The source expression by which a policy allows it.
    static let source: String = {
        var builder = DigestBuilder()
        builder.add(Array(text.utf8))
        return "'sha256-\(Data(builder.finish().bytes).base64EncodedString())'"
    }()

    static let text = #"""
        :root {
          color-scheme: light dark;
          --paper: #fcfcfb; --ink: #1d2126; --soft: #59626d; --line: #dfe2e6; --accent: #0a58a6; --warn: #a9281f;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #14171a; --ink: #e7e9eb; --soft: #a6afb9; --line: #343b42; --accent: #86bbf3; --warn: #ff9a8f;
          }
        }
        * { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
        body {
          margin: 0 auto; max-width: 46rem; padding: 1.5rem 1.25rem 2.5rem; background: var(--paper); color: var(--ink);
          font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans CJK JP", sans-serif;
          font-variant-numeric: tabular-nums; overflow-wrap: anywhere; hyphens: manual;
        }
        h1 { margin: 0 0 0.3rem; font-size: 1.9rem; line-height: 1.2; font-weight: 650; letter-spacing: -0.015em; }
        .day-title { margin: 0; font-size: 1.15rem; line-height: 1.35; font-weight: 650; }
        .name { margin: 0; font-size: 1.02rem; line-height: 1.4; font-weight: 620; }
        p { margin: 0.15rem 0 0; orphans: 3; widows: 3; }
        a { color: var(--accent); text-underline-offset: 0.15em; text-decoration-thickness: 1px; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
        .soft, .where, .kind, .zone { color: var(--soft); }
        .where { margin: 0; }
        article + article { margin-top: 3.5rem; }
        .trip-head { padding-bottom: 1.1rem; }
        .when { font-weight: 600; }
        .day { margin-top: 1.4rem; padding-top: 0.9rem; border-top: 2px solid var(--line); }
        .items { list-style: none; margin: 0; padding: 0; }
        .item { margin-top: 0.85rem; padding-left: 5.4rem; }
        .item::after { content: ""; display: block; clear: both; }
        .time { float: left; width: 5rem; margin-left: -5.4rem; font-weight: 620; line-height: 1.43; }
        .time span { display: block; }
        .zone { font-size: 0.8rem; font-weight: 400; line-height: 1.3; }
        .kind { font-size: 0.86rem; }
        .brief .name { font-weight: 400; }
        .brief { margin-top: 0.5rem; }
        .cancelled .name { text-decoration: line-through; }
        .label { font-weight: 600; }
        .cancelled .label { color: var(--warn); }
        dl { margin: 0.25rem 0 0; }
        dl div { padding-left: 6.6rem; }
        dt { float: left; width: 6.2rem; margin-left: -6.6rem; color: var(--soft); font-size: 0.9rem; line-height: 1.67; }
        dd { margin: 0; orphans: 3; widows: 3; }
        .note { margin-top: 0.3rem; }
        .checks { list-style: none; margin: 0.5rem 0 0; padding: 0; }
        .checks li { margin-top: 0.3rem; padding-left: 1.7rem; }
        .box { float: left; margin-left: -1.7rem; }
        .done > bdi { text-decoration: line-through; color: var(--soft); }
        figure { margin: 0.6rem 0 0; }
        img { display: block; max-width: 100%; height: auto; border-radius: 6px; }
        figcaption, .file { font-size: 0.9rem; }
        figcaption { color: var(--soft); }
        .url { display: none; }
        nav ol { margin: 0.5rem 0 2.5rem; padding-left: 1.6rem; }
        nav li { padding: 0.2rem 0; }
        .made { color: var(--soft); font-size: 0.87rem; }
        @media (max-width: 30rem) {
          body { padding: 1.1rem 1rem 2rem; }
          h1 { font-size: 1.55rem; }
          .item { padding-left: 0; }
          .time { float: none; width: auto; margin: 0; color: var(--accent); font-size: 0.94rem; }
          .time span { display: inline; margin-right: 0.45em; }
          dl div { padding-left: 5.7rem; }
          dt { width: 5.5rem; margin-left: -5.7rem; font-size: 0.82rem; line-height: 1.83; }
        }
        @page { margin: 16mm 15mm 18mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; } }
        @media print {
          :root {
            color-scheme: light;
            --paper: #ffffff; --ink: #000000; --soft: #464c53; --line: #b9bfc6; --accent: #000000; --warn: #8c1d15;
          }
          html { font-size: 10.5pt; }
          body { max-width: none; padding: 0; line-height: 1.4; }
          a { text-decoration: none; }
          .url { display: inline; color: var(--soft); font-size: 0.85em; }
          .item, figure, .trip-head, dl div, .checks li { break-inside: avoid; }
          .long, .long dl div { break-inside: auto; }
          .day-head, .day-title, .name { break-after: avoid; break-inside: avoid; }
          .day-head + .items > .item:first-child { break-before: avoid; }
          img { max-height: 110mm; max-width: 100%; width: auto; }
          article + article, nav + main > article { break-before: page; margin-top: 0; }
        }
        """#
}
