extension String {
    /// The text in quotes for a message, cut after `limit` characters and with control characters made visible.
    func excerpt(limit: Int = 60) -> String {
        var shown = "\""
        for scalar in unicodeScalars.prefix(limit) {
            shown += scalar.escaped(asASCII: false)
        }
        return shown + (unicodeScalars.count > limit ? "…\"" : "\"")
    }
}
