import Events
import Foundation

/// A type of constants in predicates, of which conditions on fields can be made that decide as the type's own operators do.
protocol PredicateConstant {
    /// Requires that a field's value is in a relation to this one.
    func condition(_ field: QueriedField, _ relation: ConditionNode.Relation) -> TranslatedCondition
}

extension PredicateConstant where Self: FieldValue {
    fileprivate func exact(_ field: QueriedField, _ relation: ConditionNode.Relation) -> TranslatedCondition {
        .exactly(.compare(field, relation, ordered))
    }
}

extension Bool: PredicateConstant {
    func condition(_ field: QueriedField, _ relation: ConditionNode.Relation) -> TranslatedCondition {
        exact(field, relation)
    }
}

extension Int: PredicateConstant {
    func condition(_ field: QueriedField, _ relation: ConditionNode.Relation) -> TranslatedCondition {
        exact(field, relation)
    }
}

/// Of the milliseconds of a moment: no field is of this type.
extension Int64: PredicateConstant {
    func condition(_ field: QueriedField, _ relation: ConditionNode.Relation) -> TranslatedCondition {
        .exactly(.compare(field, relation, .integer(self)))
    }
}

extension Day: PredicateConstant {
    func condition(_ field: QueriedField, _ relation: ConditionNode.Relation) -> TranslatedCondition {
        exact(field, relation)
    }
}

extension Double: PredicateConstant {
    /// In conditions NaN is equal to itself and less than all numbers, and in Swift neither.
    func condition(_ field: QueriedField, _ relation: ConditionNode.Relation) -> TranslatedCondition {
        guard !isNaN else { return .unknown }
        return switch relation {
        case .equal, .greater, .greaterOrEqual: exact(field, relation)
        case .less, .lessOrEqual: .atLeast(.compare(field, relation, ordered))
        }
    }
}

extension Date: PredicateConstant {
    /// Dates of entities are whole milliseconds. The conversion from these is monotonic, so that around a date that two others are different from
    /// both orders are the same.
    func condition(_ field: QueriedField, _ relation: ConditionNode.Relation) -> TranslatedCondition {
        let own = milliseconds
        guard own > .min, own < .max, Date(milliseconds: own) == self, Date(milliseconds: own - 1) < self,
            self < Date(milliseconds: own + 1)
        else { return .unknown }
        return exact(field, relation)
    }
}

extension String: PredicateConstant {
    /// Swift compares text by canonical equivalence, and conditions compare scalars.
    func condition(_ field: QueriedField, _ relation: ConditionNode.Relation) -> TranslatedCondition {
        guard relation == .equal else { return .unknown }
        if isOnlyCanonicalForm { return .exactly(.compare(field, .equal, .text(self))) }
        return condition(field, folded: .equals)
    }

    /// Requires that a field has the text in it as characters, or begins with it. In folded text it does so too, because equivalent texts fold
    /// to the same.
    func condition(_ field: QueriedField, folded relation: ConditionNode.TextRelation) -> TranslatedCondition {
        guard isKnownToFolding else { return .unknown }
        return .atLeast(.text(field, relation, TextFolding.folded(self)))
    }

    /// Whether no other text is equivalent: of ASCII, but for the three characters to which other scalars are canonically equal.
    fileprivate var isOnlyCanonicalForm: Bool { utf8.allSatisfy { $0 < 0x80 && !"K;`".utf8.contains($0) } }

    /// Of scalars that are newer than the table of folding, the system's data may know an equivalence that the table does not.
    private var isKnownToFolding: Bool {
        unicodeScalars.allSatisfy { scalar in
            scalar.isASCII || scalar.properties.age.map { ($0.major, $0.minor) <= FoldingTable.unicodeAge } ?? false
        }
    }
}

extension Identifier: PredicateConstant where Entity: TripEntity {
    func condition(_ field: QueriedField, _ relation: ConditionNode.Relation) -> TranslatedCondition {
        relation == .equal ? .exactly(.compare(field, .equal, orderedOwn)) : .unknown
    }
}

extension UUID: PredicateConstant {
    func condition(_ field: QueriedField, _ relation: ConditionNode.Relation) -> TranslatedCondition {
        relation == .equal ? .exactly(.compare(field, .equal, orderedOwn)) : .unknown
    }
}

/// Equal values have parts beside the one that conditions compare: the currency's text may be an equivalent one, a moment has a zone, and both may
/// have parts that this version does not know.
extension PredicateConstant where Self: FieldValue {
    fileprivate func atLeastEqual(_ field: QueriedField, _ relation: ConditionNode.Relation) -> TranslatedCondition {
        relation == .equal ? .atLeast(.compare(field, .equal, ordered)) : .unknown
    }
}

extension Money: PredicateConstant {
    func condition(_ field: QueriedField, _ relation: ConditionNode.Relation) -> TranslatedCondition {
        // Swift compares text by canonical equivalence.
        currency.code.isOnlyCanonicalForm ? atLeastEqual(field, relation) : .unknown
    }
}

extension Moment: PredicateConstant {
    func condition(_ field: QueriedField, _ relation: ConditionNode.Relation) -> TranslatedCondition {
        atLeastEqual(field, relation)
    }
}

extension EntityReference: PredicateConstant {
    func condition(_ field: QueriedField, _ relation: ConditionNode.Relation) -> TranslatedCondition {
        relation == .equal ? exact(field, relation) : .unknown
    }
}

/// A known number as an unknown one is equal to no value that a field has; conditions compare numbers.
extension PredicateConstant where Self: OpenEnumeration {
    func condition(_ field: QueriedField, _ relation: ConditionNode.Relation) -> TranslatedCondition {
        guard relation == .equal, Self(rawValue: rawValue) == self else { return .unknown }
        return .exactly(.compare(field, .equal, .integer(Int64(rawValue))))
    }
}

extension ProcessingStatus: PredicateConstant {}
