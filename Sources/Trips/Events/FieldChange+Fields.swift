public import Foundation

/// A new value for a field of a trip; nil and "" clear it.
extension FieldChange where Entity == Trip {
    public static func name(_ value: String) -> Self { Self(.name, value.encodedValue) }
    public static func destination(_ value: String) -> Self { Self(.destination, value.encodedValue) }
    public static func notes(_ value: String) -> Self { Self(.notes, value.encodedValue) }
    public static func startDay(_ value: Day?) -> Self { Self(.startDay, value?.encodedValue) }
    public static func endDay(_ value: Day?) -> Self { Self(.endDay, value?.encodedValue) }
    public static func isProtected(_ value: Bool) -> Self { Self(.isProtected, value.encodedValue) }
    public static func originalCreation(_ value: Date?) -> Self { Self(.originalCreation, value?.encodedValue) }
}

/// A new value for a field that all items have; nil and "" clear it.
extension FieldChange where Entity: ItemEntity {
    public static func name(_ value: String) -> Self { Self(.name, value.encodedValue) }
    public static func trip(_ value: Trip.ID?) -> Self { Self(.trip, value?.encodedValue) }
    public static func start(_ value: Moment?) -> Self { Self(.start, value?.encodedValue) }
    public static func end(_ value: Moment?) -> Self { Self(.end, value?.encodedValue) }
    public static func cost(_ value: Money?) -> Self { Self(.cost, value?.encodedValue) }
    public static func paid(_ value: PaidStatus) -> Self { Self(.paid, value.encodedValue) }
    public static func reservation(_ value: String) -> Self { Self(.reservation, value.encodedValue) }
    public static func notes(_ value: String) -> Self { Self(.notes, value.encodedValue) }
    public static func customLocationName(_ value: String) -> Self { Self(.customLocationName, value.encodedValue) }
    public static func hidesLocation(_ value: Bool) -> Self { Self(.hidesLocation, value.encodedValue) }
    public static func address(_ value: Address?) -> Self { Self(.address, value?.encodedValue) }
    public static func organization(_ value: Organization.ID?) -> Self { Self(.organization, value?.encodedValue) }
}

/// A new value for a field that only transportations have.
extension FieldChange where Entity == Transportation {
    public static func mode(_ value: TransportationMode) -> Self { Self(.mode, value.encodedValue) }
    public static func confirmation(_ value: String) -> Self { .reservation(value) }
}

/// A new value for a field of an organization; nil and "" clear it.
extension FieldChange where Entity == Organization {
    public static func name(_ value: String) -> Self { Self(.name, value.encodedValue) }
    public static func phone(_ value: String) -> Self { Self(.phone, value.encodedValue) }
    public static func email(_ value: String) -> Self { Self(.email, value.encodedValue) }
    public static func website(_ value: String) -> Self { Self(.website, value.encodedValue) }
    public static func logoURL(_ value: String) -> Self { Self(.logoURL, value.encodedValue) }
    public static func address(_ value: Address?) -> Self { Self(.address, value?.encodedValue) }
}
