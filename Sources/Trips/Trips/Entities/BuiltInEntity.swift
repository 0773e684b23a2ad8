import Events

/// A kind of the store's own: it declares here what every kind must have, and apps see that by `TripEntity` alone.
protocol BuiltInEntity: TripEntity {
    static var builtInSchema: Schema<Self> { get }
    var state: StoredState { get set }
    init(blank id: ID)
}

extension BuiltInEntity {
    public static var schema: Schema<Self> { builtInSchema }

    public var stored: StoredState {
        get { state }
        _modify { yield &state }
    }

    public init(id: ID) { self.init(blank: id) }
}

/// A kind with a number of its own in the log.
protocol NumberedEntity: BuiltInEntity {}

extension NumberedEntity {
    public static var kind: EntityKind { builtInSchema.kind }
}
