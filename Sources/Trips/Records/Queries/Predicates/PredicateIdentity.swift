import Foundation

/// What makes two expressions of predicates equal: their type, which has all of the operators, and their variables, key paths and constants.
///
/// `Predicate` is neither `Equatable` nor, on Linux, encodable with key paths, and its description has numbers of variables that no
/// other predicate has.
struct PredicateIdentity {
    /// Of unequal expressions never equal. Of equal ones equal in every process if the properties are fields or stored and the constants can
    /// be encoded; only in this process if a key path or type is known by its address; and else equal for copies alone.
    static func bytes(
        of expression: any StandardPredicateExpression<Bool>, name: @escaping (AnyKeyPath) -> String?
    ) -> [UInt8] {
        var identity = PredicateIdentity(name: name)
        identity.addName(String(reflecting: type(of: expression)))
        identity.add(expression)
        if identity.isOfProcess { identity.add(text: process) }
        return identity.bytes
    }

    /// Addresses may mean something else in another process.
    private static let process = UUID().uuidString

    /// Computed properties that have a name in every process.
    private static var known: [AnyKeyPath: String] {
        let common: [AnyKeyPath: String] = [
            \String.count: "count of characters", \String.isEmpty: "is empty", \Moment.date: "date of moment",
        ]
        return common.merging(ofEntities) { $1 }
    }

    private let name: (AnyKeyPath) -> String?
    private var bytes: [UInt8] = []
    private var isOfProcess = false
    /// Numbered as they are met.
    private var variables: [PredicateExpressions.VariableID: Int] = [:]

    private init(name: @escaping (AnyKeyPath) -> String?) { self.name = name }

    /// With the length before it, so that no other texts are the same together.
    private mutating func add(text: String) {
        bytes += "\(text.utf8.count):".utf8
        bytes += text.utf8
    }

    /// A name that may have an address in it, as those of private types and of computed properties do, or the place of a property in memory.
    private mutating func addName(_ name: String) {
        isOfProcess = isOfProcess || ["0x", "unknown context at", "<offset"].contains { name.contains($0) }
        add(text: name)
    }

    private mutating func add(_ part: Any) {
        switch part {
        case let variable as PredicateExpressions.VariableID:
            let number = variables[variable] ?? variables.count
            variables[variable] = number
            add(text: "variable \(number)")
        case let path as AnyKeyPath:
            if let name = name(path) ?? Self.known[path] {
                add(text: name)
            } else {
                addName(path.debugDescription)
            }
        case let value as any ConstantExpression: add(constant: value.constant)
        default:
            let mirror = Mirror(reflecting: part)
            switch mirror.displayStyle {
            // An operator.
            case .enum where mirror.children.isEmpty: add(text: "\(part)")
            case .struct, .tuple, .enum: for child in mirror.children { add(child.value) }
            // Not known to be a value.
            default: addUnique()
            }
        }
    }

    private mutating func add(constant: Any) {
        if let set = constant as? Set<AnyHashable> {
            // Sets have no order.
            let elements = set.map { Self.encoded($0.base) }
            let known = elements.compactMap { $0 }.sorted { $0.lexicographicallyPrecedes($1) }
            add(text: "set of \(known.count)")
            for element in known { add(text: String(decoding: element, as: UTF8.self)) }
            if known.count < elements.count { addUnique() }
        } else if let json = Self.encoded(constant) {
            add(text: String(decoding: json, as: UTF8.self))
        } else {
            addUnique()
        }
    }

    private mutating func addUnique() { add(text: UUID().uuidString) }

    /// Constants of predicates are encodable, so that these can be archived. Nil if this one is not after all.
    private static func encoded(_ constant: Any) -> Data? {
        guard let constant = constant as? any Encodable else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "+inf", negativeInfinity: "-inf", nan: "nan")
        do { return try encoder.encode(constant) } catch { return nil }
    }
}
