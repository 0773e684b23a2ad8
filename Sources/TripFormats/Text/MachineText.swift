/// Text that programs write for programs.
enum MachineText {
    /// Whether it is a JSON object or list, whole.
    static func isJSON(_ text: String) -> Bool {
        let trimmed = text.trimmed
        guard trimmed.hasPrefix("{") && trimmed.hasSuffix("}") || trimmed.hasPrefix("[") && trimmed.hasSuffix("]"),
            trimmed.utf8.contains(UInt8(ascii: "\"")) || trimmed.utf8.count < 3
        else { return false }
        return (try? PlacedJSON(parsing: Array(trimmed.utf8)[...], code: .malformed)) != nil
    }

    /// Whether it says nothing to people: JSON, a truth value, or signs alone.
    static func isSilent(_ text: String) -> Bool {
        let trimmed = text.trimmed
        if ["TRUE", "FALSE", "YES", "NO"].contains(trimmed.uppercased()) { return true }
        return isJSON(trimmed) || isRuler(trimmed)
    }

    /// Whether a line has neither letters nor digits, as one that programs draw between paragraphs.
    static func isRuler(_ line: String) -> Bool {
        line.count >= 8 && !line.contains { $0.isLetter || $0.isNumber }
    }
}
