extension Console {
    /// Shows what is about to be done, and asks; throws unless the answer is yes. `otherwise` says that nothing was done,
    /// and `hint` what to add where nobody can be asked.
    func confirm(_ question: String, _ lines: [String], otherwise: String, hint: String) throws {
        guard let ask, !isJSON else { throw CommandError("\(otherwise): \(hint)", code: "protected") }
        for line in lines { out(line) }
        guard ["y", "yes"].contains((ask("\(question) [y/N]") ?? "").lowercased()) else {
            throw CommandError("\(otherwise).", code: "protected")
        }
    }
}
