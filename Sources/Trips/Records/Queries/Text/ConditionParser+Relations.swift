/// Conditions on other entities, and on distances.
extension ConditionParser {
    private enum Quantifier: String {
        case any, all, no
    }

    /// `any note (page > 100)`; nil if no such condition begins here.
    mutating func quantified() throws(QueryTextError) -> ConditionNode? {
        guard token.kind == .word, let quantifier = Quantifier(rawValue: token.text.lowercased()) else { return nil }
        take()
        let name = token
        guard name.isName else { throw unexpected(name, "After \(quantifier.rawValue) comes the name of a kind") }
        let related = try AskedKinds(fields.kind.known).relation(name, of: fields.schema, in: text)
        take()
        guard token.isMark("(") else {
            guard quantifier != .all else {
                throw unexpected(token, "After all \(name.text.prefix(60)) comes a condition in parentheses")
            }
            let some = related.some(.all([]))
            return quantifier == .no ? .not(some) : some
        }
        let condition = try parenthesis(on: related)
        return switch quantifier {
        case .any: related.some(condition)
        case .all: .not(related.some(condition.negated))
        case .no: .not(related.some(condition))
        }
    }

    /// The condition on the entity that a field names, in parentheses or after `as KIND`.
    mutating func named(by field: AskedField, _ number: UInt64) throws(QueryTextError) -> ConditionNode {
        var target = field.target.map { KnownKind($0, in: fields.kind.known) }
        if take("as") {
            let name = token
            guard name.isName else { throw unexpected(name, "After as comes the name of a kind") }
            let kind = try AskedKinds(fields.kind.known).kind(name, in: text)
            if let target, target != kind {
                throw error(
                    .unknownKind, "'\(field.name)' names a \(target.schema.name), and no \(kind.schema.name).", at: name
                )
            }
            target = kind
            take()
        }
        guard let target else {
            throw error(
                .syntax, "'\(field.name)' names an entity of any kind. Write as KIND before the condition on it.",
                at: token)
        }
        guard token.isMark("(") else {
            throw unexpected(token, "After as \(target.schema.name) comes a condition in parentheses")
        }
        let related = AskedRelation(link: .named(by: number), kinds: [target])
        return related.some(try parenthesis(on: related))
    }

    // MARK: Distances

    /// After within: a distance, `of` and a place.
    mutating func near(_ field: AskedField) throws(QueryTextError) -> ConditionNode {
        let start = token
        let distance = try distance()
        guard take("of") else { throw unexpected(token, "After a distance comes of and a place, as of 38.7, -9.1") }
        let latitude = try degrees("latitude", 90)
        guard take(mark: ",") else { throw unexpected(token, "Between latitude and longitude comes a comma") }
        let longitude = try degrees("longitude", 180)
        let place = Coordinates(latitude: latitude, longitude: longitude)
        guard let center = GlobePoint(place), let distance = GlobeDistance(meters: distance) else {
            throw unfitDistance(start)
        }
        return .near(field.field, center, distance)
    }

    /// In metres: `5 km`, `5km`, `800 m`.
    private mutating func distance() throws(QueryTextError) -> Double {
        let number = token
        guard number.kind == .word else { throw unfitDistance(number) }
        take()
        let unit = number.text.lowercased().drop { $0.isNumber || "+-.".contains($0) }
        let digits = number.text.dropLast(unit.count)
        let name = unit.isEmpty ? token : number
        let factor: Double? =
            switch unit.isEmpty ? token.text.lowercased() : String(unit) {
            case "km": 1_000
            case "m": 1
            default: nil
            }
        guard let meters = Double(digits), meters >= 0, meters.isFinite else { throw unfitDistance(number) }
        guard let factor, name.kind == .word else {
            throw error(.unfitValue, "The distance needs its unit, m or km. Write it as 5 km.", at: name)
        }
        if unit.isEmpty { take() }
        return meters * factor
    }

    private func unfitDistance(_ token: QueryToken) -> QueryTextError {
        error(
            token.kind == .end ? .syntax : .unfitValue,
            "After within comes a distance, as 5 km or 800 m, and not \(token.words).", at: token)
    }

    private mutating func degrees(_ name: String, _ most: Double) throws(QueryTextError) -> Double {
        guard token.kind == .word, let degrees = Double(token.text), abs(degrees) <= most else {
            throw error(
                token.kind == .end ? .syntax : .unfitValue,
                "The \(name) is a number of degrees from -\(Int(most)) to \(Int(most)), as in 38.7, -9.1, and not \(token.words).",
                at: token)
        }
        take()
        return degrees
    }
}
