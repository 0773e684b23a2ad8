extension ReportPage {
    /// The timeline, the lists of commits and events, the trips, and the print style.
    static let listStyle = #"""
        .month { width: 100%; margin: 0.6rem 0 1.2rem; font-size: 0.85rem; }
        .month caption { text-align: left; font-weight: 600; padding-bottom: 0.2rem; }
        .month thead, .month tbody { display: block; }
        .month tr { display: grid; grid-template-columns: 11rem repeat(31, minmax(0, 1fr)) 8.5rem; }
        .month tbody tr { border-top: 1px solid var(--line); align-items: stretch; }
        .month th { font-weight: 400; text-align: left; padding: 0.3rem 0.5rem 0.2rem 0; align-self: center; }
        .month thead th { color: var(--soft); font-size: 0.72rem; padding: 0; text-align: center; overflow: visible; }
        .month thead span { display: block; margin: 0 -0.6em; white-space: nowrap; }
        .month td { padding: 0; min-height: 2.6rem; display: flex; align-items: flex-end; }
        .month td + td { border-left: 1px dotted var(--line); }
        .month .total { align-items: center; justify-content: flex-end; color: var(--soft); text-align: right; }
        .month .total { border-left: 0; padding-left: 0.6rem; }
        .bar { width: 100%; height: 2.6rem; padding: 0 1px; border: 0; background: none; display: flex; }
        .bar { align-items: flex-end; }
        .bar span { display: block; width: 100%; background: var(--bar); border-radius: 2px 2px 0 0; }
        .bar:hover { background: var(--chosen); }
        .bar:hover span, .bar[aria-pressed="true"] span { background: var(--accent); }
        .bar[aria-pressed="true"] { background: var(--chosen); }
        .commits { list-style: none; margin: 0; padding: 0; }
        .day { margin: 1.6rem 0 0; font-size: 0.95rem; font-weight: 640; }
        .commit { padding: 0.9rem 0 0.6rem; border-top: 1px solid var(--line); }
        .commit.apart { border-top: 0; }
        .who { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: baseline; margin: 0; font-size: 0.88rem; }
        .who { color: var(--soft); }
        .who strong { color: var(--ink); font-weight: 600; }
        .who .tail { margin-left: auto; }
        .events { list-style: none; margin: 0.3rem 0 0; padding: 0; }
        .event {
          display: grid; grid-template-columns: 5.2rem minmax(0, 1fr); gap: 0 0.8rem; padding: 0.4rem 0;
          content-visibility: auto; contain-intrinsic-size: auto 4rem;
        }
        .verb { font-size: 0.85rem; font-weight: 600; padding-top: 0.1rem; color: var(--accent); }
        .verb.created { color: var(--created); }
        .verb.deleted { color: var(--deleted); }
        .verb.restored { color: var(--restored); }
        .what { margin: 0; }
        .what .kind, .what .in { color: var(--soft); font-size: 0.88rem; }
        .what .kind { margin-left: 0.5rem; }
        .changes { margin: 0.1rem 0 0; font-size: 0.92rem; }
        .change { display: grid; gap: 0 0.8rem; padding: 0.12rem 0; align-items: baseline; }
        .change { grid-template-columns: 8.5rem minmax(0, 1fr) 1rem minmax(0, 1fr); }
        .change dt, .first dt { color: var(--soft); font-size: 0.88rem; }
        .change dd, .first dd { margin: 0; white-space: pre-wrap; }
        .change.alone dd { grid-column: 2 / -1; }
        .change .arrow { color: var(--soft); text-align: center; }
        .first { display: flex; flex-wrap: wrap; gap: 0.05rem 1.2rem; }
        .first .change { display: flex; gap: 0 0.4rem; padding: 0; min-width: 0; }
        .first .change.long { width: 100%; }
        .first dt { flex: none; }
        del, ins { text-decoration: none; padding: 0 0.3rem; border-radius: 3px; box-decoration-break: clone; }
        del, ins { -webkit-box-decoration-break: clone; }
        del { color: var(--old); background: var(--old-paper); }
        ins { background: var(--new-paper); }
        .none { color: var(--soft); font-style: italic; }
        .change .beaten { grid-column: 2 / -1; }
        .beaten {
          width: fit-content; margin: 0.2rem 0; padding: 0.15rem 0.6rem; font-size: 0.88rem; color: var(--warn);
          background: var(--warn-paper); border: 1px solid var(--warn-line); border-radius: 5px;
        }
        .beaten a { color: inherit; }
        .whole { padding: 0; border: 0; background: none; color: var(--accent); font-size: 0.88rem; }
        .split { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 2.5rem; }
        .picker { position: sticky; top: 0; align-self: start; max-height: 100vh; display: flex; }
        .picker { flex-direction: column; padding-bottom: 1rem; }
        .picker .count { margin: 0.5rem 0; }
        .trips { list-style: none; margin: 0; padding: 0; overflow-y: auto; border-top: 1px solid var(--line); }
        .trips a { display: block; padding: 0.45rem 0.6rem; color: var(--ink); text-decoration: none; }
        .trips li { border-bottom: 1px solid var(--line); }
        .trips a:hover, .trips a[aria-current] { background: var(--chosen); }
        .trips a[aria-current] { box-shadow: inset 3px 0 var(--accent); }
        .trips small { display: block; color: var(--soft); font-size: 0.8rem; }
        .trips .warn, .warn { color: var(--warn); }
        .part { max-width: 24rem; margin-bottom: 0.5rem; }
        @media (max-width: 40rem) {
          .month tr { grid-template-columns: repeat(31, minmax(0, 1fr)); }
          .month thead th:first-child, .month thead th:last-child { display: none; }
          .month tbody th { grid-column: 1 / 17; grid-row: 1; }
          .month .total { grid-column: 17 / -1; grid-row: 1; min-height: 0; }
          .event { grid-template-columns: minmax(0, 1fr); }
          .who .tail { margin-left: 0; }
          .change { grid-template-columns: minmax(0, 1fr); }
          .change dd, .change.alone dd, .change .beaten { grid-column: auto; }
          .change .arrow { display: none; }
          .first .change.long { display: block; }
          .change .to::before { content: "→ "; color: var(--soft); }
          .split { grid-template-columns: minmax(0, 1fr); gap: 0; }
          .picker { position: static; max-height: none; }
          .trips { max-height: 40vh; }
        }
        @media (forced-colors: active) { .bar span { background: CanvasText; forced-color-adjust: none; } }
        @media print {
          :root { --paper: #fff; --raised: #fff; --ink: #000; --soft: #444; --line: #bbb; --accent: #000; }
          :root { --old: #600; --warn: #530; --created: #030; --deleted: #600; --restored: #420; --bar: #888; }
          :root { --old-paper: #f7e9e7; --new-paper: #e8f3ec; --warn-paper: #fff6e3; --chosen: #eee; }
          body { max-width: none; padding: 0; font-size: 10pt; }
          nav, form, .picker, .quiet, .skip, .hint, .readout, .part, .whole { display: none !important; }
          #story-note { display: block !important; color: inherit; }
          .split { display: block; }
          .event { content-visibility: visible; break-inside: avoid; }
          .who, .day { break-after: avoid; }
          .bar span, del, ins, .beaten { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
        }
        """#
}
