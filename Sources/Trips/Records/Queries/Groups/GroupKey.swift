/// By what the entities of a query are grouped: a property, or the currency or the calendar period of one.
public struct GroupKey<Entity: TripEntity>: Hashable, Sendable {
    /// The same without the type of the entity.
    package let key: RecordGroupKey
    /// The app's field, if it is one.
    let declared: DeclaredFields

    private init(_ property: PartialKeyPath<Entity>, _ part: RecordGroupKey.Part) {
        self.init(QueryFields.field(property), part)
    }

    init(_ field: QueriedField, _ part: RecordGroupKey.Part, _ declared: DeclaredFields = DeclaredFields()) {
        key = RecordGroupKey(field: field, part: part)
        self.declared = declared
    }

    private init<Value>(_ field: OwnField<Entity, Value>, _ part: RecordGroupKey.Part) {
        self.init(.field(field.number), part, field.asDeclared)
    }

    /// By the value of a property.
    public static func value(_ property: PartialKeyPath<Entity>) -> GroupKey { GroupKey(property, .value) }

    /// By the value of an app's own field.
    public static func value<Value>(_ field: OwnField<Entity, Value>) -> GroupKey {
        GroupKey(field, .value)
    }

    /// By a day, or by the calendar day of a moment there where it counts.
    public static func day<Value: CalendarValue>(of property: KeyPath<Entity, Value>) -> GroupKey {
        GroupKey(property, .day)
    }
    public static func day<Value: CalendarValue>(of field: OwnField<Entity, Value>) -> GroupKey {
        GroupKey(field, .day)
    }

    /// By the month of a day, or of a moment there where it counts.
    public static func month<Value: CalendarValue>(of property: KeyPath<Entity, Value>) -> GroupKey {
        GroupKey(property, .month)
    }
    public static func month<Value: CalendarValue>(of field: OwnField<Entity, Value>) -> GroupKey {
        GroupKey(field, .month)
    }

    /// By the year likewise.
    public static func year<Value: CalendarValue>(of property: KeyPath<Entity, Value>) -> GroupKey {
        GroupKey(property, .year)
    }
    public static func year<Value: CalendarValue>(of field: OwnField<Entity, Value>) -> GroupKey {
        GroupKey(field, .year)
    }

    /// By the currency of an amount.
    public static func currency(of property: KeyPath<Entity, Money?>) -> GroupKey { GroupKey(property, .currency) }
    public static func currency(of field: OwnField<Entity, Money>) -> GroupKey {
        GroupKey(field, .currency)
    }
}

/// A value that lies in a month and a year of the calendar: `Day` and `Moment`. Other types that conform to it are in no group of either.
public protocol CalendarValue {}

extension Day: CalendarValue {}
extension Moment: CalendarValue {}
extension Optional: CalendarValue where Wrapped: CalendarValue {}

/// By what records are grouped: a field, or a part of its value.
package struct RecordGroupKey: Hashable, Sendable {
    enum Part: String, Hashable, Sendable {
        case value, day, month, year, currency
    }

    let field: QueriedField
    let part: Part
}
