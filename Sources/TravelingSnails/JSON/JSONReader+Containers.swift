extension JSONReader {
    /// Enters the object whose brace is the next byte, which the caller has seen.
    package mutating func beginObject() throws(ExportError) {
        try push(.object)
    }

    /// Enters the list whose bracket is the next byte, which the caller has seen.
    package mutating func beginList() throws(ExportError) {
        try push(.list)
    }

    private mutating func push(_ kind: Frame.Kind) throws(ExportError) {
        guard outer.count < limits.deepest else {
            let what = "Objects and lists are nested deeper than \(limits.deepest) levels"
            throw error(.tooLarge, what, "No export needs as many")
        }
        position += 1
        outer.append(top)
        top = Frame(kind: kind, keyStart: unknownKeys.count)
    }

    private mutating func pop() {
        position += 1
        if unknownKeys.count > top.keyStart { unknownKeys.removeLast(unknownKeys.count - top.keyStart) }
        // There is one: every frame but the outermost was pushed onto it.
        top = outer.popLast() ?? .outside
    }

    /// The key of the next member, whose value is next to be read; nil at the end of the object, which it leaves.
    mutating func nextKey() throws(ExportError) -> ExportKey? {
        var byte = try peek()
        if byte == UInt8(ascii: "}") {
            pop()
            return nil
        }
        if !top.isFresh {
            guard byte == UInt8(ascii: ",") else { throw malformed("a comma or } must follow a member") }
            position += 1
            top.key = .none
            byte = try peek()
        }
        top.isFresh = false
        guard byte == UInt8(ascii: "\"") else {
            let isEnd = byte == UInt8(ascii: "}")
            throw malformed(isEnd ? "a comma must not end an object" : "a key in quotes must be here")
        }
        try readKey()
        guard try peek() == UInt8(ascii: ":") else { throw malformed("a colon must follow a key") }
        position += 1
        return top.key
    }

    private mutating func readKey() throws(ExportError) {
        let start = mark
        let token = try readStringToken()
        if unknownKeys.count > top.keyStart { unknownKeys.removeLast(unknownKeys.count - top.keyStart) }
        let (key, number) =
            token.isUnescaped ? keys.numberedKey(unescaped, token.range) : keys.numberedKey(buffer, token.range)
        top.key = key
        if key == .unknown {
            // Only for messages, so a short excerpt is enough.
            let shown = token.range.prefix(64)
            unknownKeys.append(contentsOf: token.isUnescaped ? unescaped[shown] : buffer[shown])
        } else if !top.keys.insert(number) {
            noteRepetition(at: start)
        }
    }

    @inline(never)
    private mutating func noteRepetition(at start: Mark) {
        guard repetitions.count < limits.mostRepetitions else { return }
        repetitions.append(
            ExportProblem(
                place: start.place(path), reason: "`\(top.key.rawValue)` is there twice: the last one counts."))
    }

    /// Whether there is a next element, which is then next to be read; at the end of the list, leaves it.
    package mutating func nextElement() throws(ExportError) -> Bool {
        var byte = try peek()
        if byte == UInt8(ascii: "]") {
            pop()
            return false
        }
        if !top.isFresh {
            guard byte == UInt8(ascii: ",") else { throw malformed("a comma or ] must follow an element") }
            position += 1
            byte = try peek()
            if byte == UInt8(ascii: "]") { throw malformed("a comma must not end a list") }
        }
        top.isFresh = false
        top.index += 1
        return true
    }

    /// Reads one value of any kind and depth, and keeps nothing of it.
    package mutating func skipValue() throws(ExportError) {
        let floor = outer.count
        repeat {
            switch try peek() {
            case UInt8(ascii: "{"): try beginObject()
            case UInt8(ascii: "["): try beginList()
            case UInt8(ascii: "\""): try skipString()
            default: try skipScalar()
            }
            // Continues at the next value, out of every object and list that ends here.
            while outer.count > floor {
                if top.kind == .object ? try nextKey() != nil : try nextElement() { break }
            }
        } while outer.count > floor
    }
}
