import Foundation

/// Reads the value of a member, whose key the caller has just received, as the type that a record wants.
///
/// A value of another type is skipped and recorded among the faults of the record. Null counts as missing.
extension JSONReader {
    /// A text; empty when null.
    mutating func text(_ faults: inout Faults) throws(ExportError) -> String {
        guard let token = try string(&faults), keepsTexts else { return "" }
        return text(token)
    }

    /// A text; nil when null or empty.
    mutating func optionalText(_ faults: inout Faults) throws(ExportError) -> String? {
        guard let token = try string(&faults), keepsTexts, !token.range.isEmpty else { return nil }
        return text(token)
    }

    /// A UUID; nil when null or empty.
    mutating func uuid(_ faults: inout Faults) throws(ExportError) -> UUID? {
        _ = try peek()
        let place = mark
        guard let token = try string(&faults), !token.range.isEmpty else { return nil }
        if let id = uuid(token) { return id }
        note(token, "is no UUID", at: place, &faults)
        return nil
    }

    /// A date; nil when null or empty.
    mutating func date(_ faults: inout Faults) throws(ExportError) -> Date? {
        _ = try peek()
        let place = mark
        guard let token = try string(&faults), !token.range.isEmpty else { return nil }
        let date = token.isUnescaped ? ISODate.parse(unescaped, token.range) : ISODate.parse(buffer, token.range)
        if let date { return date }
        note(token, "is no date of ISO 8601 such as 2013-01-31T10:15:00Z", at: place, &faults)
        return nil
    }

    /// A number; nil when null.
    mutating func number(_ faults: inout Faults) throws(ExportError) -> DecimalNumber? {
        guard try begins(.number, &faults) else { return nil }
        let range = try readNumberToken()
        return DecimalNumber(checked: String(decoding: buffer[range], as: UTF8.self))
    }

    /// True or false; nil when null.
    mutating func flag(_ faults: inout Faults) throws(ExportError) -> Bool? {
        guard try begins(.flag, &faults) else { return nil }
        let isTrue = try peek() == UInt8(ascii: "t")
        try readWord(isTrue ? "true" : "false")
        return isTrue
    }

    /// Whether the next value is a text, which stays unread.
    mutating func beginText(_ faults: inout Faults) throws(ExportError) -> Bool { try begins(.text, &faults) }

    /// Enters a list; returns false, with nothing entered, if there is none.
    mutating func list(_ faults: inout Faults) throws(ExportError) -> Bool {
        guard try begins(.list, &faults) else { return false }
        try beginList()
        return true
    }

    /// Skips an element of a list that is not an object, and returns the problem; nil if it is an object, which stays
    /// unread.
    mutating func problemOfElement(
        _ record: String, _ recordKind: RecordKind? = nil
    ) throws(ExportError) -> ExportProblem? {
        let kind = try valueKind()
        if kind == .object { return nil }
        let place = place
        try noteProblem(at: place)
        try skipValue()
        return ExportProblem(
            place: place, reason: "\(record) must be an object, not \(kind.name); it is left out.",
            leftOut: recordKind.map { [$0: 1] } ?? [:])
    }

    /// The UUID in a token; nil if there is none.
    func uuid(_ token: StringToken) -> UUID? {
        token.isUnescaped ? UUID.parse(unescaped, token.range) : UUID.parse(buffer, token.range)
    }

    private mutating func string(_ faults: inout Faults) throws(ExportError) -> StringToken? {
        try begins(.text, &faults) ? try readStringToken() : nil
    }

    /// Whether the next value has the wanted type. Otherwise it is skipped, and recorded unless it is null.
    @inline(__always)
    private mutating func begins(_ wanted: ValueKind, _ faults: inout Faults) throws(ExportError) -> Bool {
        faults.forget(top.key)
        let kind = try valueKind()
        if kind == wanted { return true }
        try refuse(kind, wanted, &faults)
        return false
    }

    @inline(never)
    private mutating func refuse(
        _ kind: ValueKind, _ wanted: ValueKind, _ faults: inout Faults
    ) throws(ExportError) {
        let place = place
        try skipValue()
        guard kind != .null else { return }
        faults.add(top.key, at: place, "`\(top.key.rawValue)` must be \(wanted.name), not \(kind.name)")
    }

    @inline(never)
    private func note(_ token: StringToken, _ fault: String, at start: Mark, _ faults: inout Faults) {
        faults.add(top.key, at: start.place(path), "`\(top.key.rawValue)` \(fault): \(text(token).excerpt())")
    }
}
