import Foundation

extension WebRequest {
    /// The value of a header that was sent once; nil otherwise.
    func header(_ name: String) -> String? {
        let values = values(of: name)
        return values.count == 1 ? values[0] : nil
    }

    /// The values of the cookies with a name.
    func cookies(_ name: String) -> [String] {
        values(of: "cookie").flatMap { $0.split(separator: ";") }.compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            return parts.count == 2 && parts[0] == name ? parts[1] : nil
        }
    }

    /// The path, without the query.
    var path: String { String(target.prefix { $0 != "?" }) }

    /// The names and values of the query, in order; nil for a name without "=". Nil if an escape is none.
    var query: [(name: String, value: String?)]? {
        guard let start = target.firstIndex(of: "?") else { return [] }
        var found: [(name: String, value: String?)] = []
        for pair in target[target.index(after: start)...].split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            // Forms send spaces so.
            let texts = parts.map { $0.replacing("+", with: " ").removingPercentEncoding }
            guard let name = texts[0], !name.isEmpty else { return nil }
            guard texts.count == 2 else {
                found.append((name, nil))
                continue
            }
            guard let value = texts[1] else { return nil }
            found.append((name, value))
        }
        return found
    }
}

extension WebAnswer {
    /// A text of a media type.
    init(_ status: Int, _ type: String, _ text: String, _ headers: [(String, String)] = []) {
        self.init(status: status, headers: [("content-type", type)] + headers, body: .bytes(Array(text.utf8)))
    }

    /// The same with more headers.
    func adding(_ more: [(name: String, value: String)]) -> WebAnswer {
        WebAnswer(status: status, headers: headers + more.map { ($0.name, $0.value) }, body: body)
    }
}
