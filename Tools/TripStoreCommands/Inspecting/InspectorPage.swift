import ArgumentParser
import TripFormats

/// The page, and the headers of every answer.
enum InspectorPage {
    static let type = "text/html; charset=utf-8"

    /// Nothing is loaded from elsewhere, no script or style stands in the page, and no other page may show it or keep a hold of it.
    static let headers: [(name: String, value: String)] = [
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
        ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"), ("cache-control", "no-store"),
        ("cross-origin-opener-policy", "same-origin"), ("cross-origin-resource-policy", "same-origin"),
    ]

    /// What the address with the token answers. A redirect would not do: where a file or another program leads there, browsers send a strict
    /// cookie only with what a page of the site itself asks for next.
    static let opened = """
        <!doctype html>
        <html lang="en"><meta charset="utf-8"><title>Opening</title><link rel="icon" href="data:,">
        <meta http-equiv="refresh" content="0; url=./">
        <p><a href="./">Open the store</a></p></html>

        """

    /// - Parameter name: of the store's folder.
    static func html(of name: String, mayWrite: Bool) -> String {
        let version = TripStoreCommand.configuration.version.prefix { !$0.isNewline }.split(separator: " ").last ?? ""
        let values = [("write", mayWrite ? "yes" : "no"), ("store", name), ("version", String(version))]
        let attributes = values.map { " data-\($0)=\"\($1.escapedForMarkup)\"" }.joined()
        let start = "<html lang=\"en\""
        return PageText.inspectorBody.replacing(start, with: start + attributes, maxReplacements: 1)
    }
}

extension String {
    fileprivate var escapedForMarkup: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
