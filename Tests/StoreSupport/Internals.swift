public import ProjectionEngine
public import TripStore

/// What tests of pages look at though an app cannot: they are compiled as an app is, without the package's access.
public enum Internals {
    public static func cache(of store: TripStore) -> CacheStatistics { store.cacheStatistics }

    /// The names of the fields that the log describes.
    public static func describedFields(of store: TripStore) throws -> [String] {
        try store.fieldDescriptions().map(\.name)
    }

    /// A change from bytes as the log has them.
    public static func change<Entity: TripEntity>(of field: UInt64, to value: [UInt8]) -> FieldChange<Entity> {
        FieldChange(field: field, value: value)
    }
}
