import Synchronization

/// What one store knows of kinds and fields beside those that this version has and the process declares: what its log describes.
///
/// Each store has its own, so that two in one process may know different ones. A class, for the store shares it with its views and with the
/// queries that are made for it.
package final class KnownSchema: Sendable {
    /// By number; 0 is the kind itself.
    private let descriptions = Mutex<[ConcreteKind: [UInt64: FieldDescription]]>([:])
    private let changes = Atomic(0)

    package init(_ descriptions: [FieldDescription] = []) { add(descriptions) }

    /// How often something new was described.
    package var changeCount: Int { changes.load(ordering: .relaxed) }

    /// Takes in what a log says of kinds and fields.
    package func add(_ found: [FieldDescription]) {
        descriptions.withLock { descriptions in
            for description in found {
                let former = descriptions[description.concreteKind, default: [:]]
                    .updateValue(description, forKey: description.number)
                if former != description { changes.add(1, ordering: .relaxed) }
            }
        }
    }

    /// The description of a field, or with 0 of the kind itself.
    func description(_ kind: ConcreteKind, _ number: UInt64) -> FieldDescription? {
        descriptions.withLock { $0[kind]?[number] }
    }

    /// The descriptions of a kind and of its fields, in the order of their numbers.
    func descriptions(of kind: ConcreteKind) -> [FieldDescription] {
        descriptions.withLock { $0[kind] ?? [:] }.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The descriptions of the apps' kinds.
    var describedKinds: [FieldDescription] { descriptions.withLock { $0.values.compactMap { $0[0] } } }
}
