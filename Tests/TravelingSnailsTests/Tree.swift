/// A JSON document under construction, whose keys keep their order and can be shuffled.
indirect enum Tree {
    case object([(String, Tree)])
    case list([Tree])
    /// A text without anything to escape.
    case text(String)
    /// A value as it is to be written.
    case raw(String)

    /// The document, with line breaks and indentation as the app writes them.
    func written(indent: Int = 0) -> String {
        let inner = String(repeating: " ", count: indent + 1)
        let outer = String(repeating: " ", count: indent)
        switch self {
        case .object(let members):
            if members.isEmpty { return "{}" }
            let lines = members.map { "\(inner)\"\($0)\" : \($1.written(indent: indent + 1))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(outer)}"
        case .list(let elements):
            if elements.isEmpty { return "[]" }
            let lines = elements.map { inner + $0.written(indent: indent + 1) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(outer)]"
        case .text(let text): return "\"\(text)\""
        case .raw(let raw): return raw
        }
    }

    /// The same document with the members of every object in another order.
    func shuffled(using generator: inout Seeded) -> Tree {
        switch self {
        case .object(let members):
            var mixed: [(String, Tree)] = []
            for (key, value) in members { mixed.append((key, value.shuffled(using: &generator))) }
            mixed.shuffle(using: &generator)
            return .object(mixed)
        case .list(let elements):
            var inside: [Tree] = []
            for element in elements { inside.append(element.shuffled(using: &generator)) }
            return .list(inside)
        case .text, .raw: return self
        }
    }

    /// The same object with `key` set to `value`, or without the key.
    func with(_ key: String, _ value: Tree?) -> Tree {
        guard case .object(var members) = self else { return self }
        guard let index = members.firstIndex(where: { $0.0 == key }) else {
            return .object(value.map { members + [(key, $0)] } ?? members)
        }
        if let value { members[index].1 = value } else { members.remove(at: index) }
        return .object(members)
    }
}

/// Random numbers that a seed repeats (the generator is SplitMix64).
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
