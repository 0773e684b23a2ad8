package import Events

/// An entity as a whole, or a field of it, that an erasure says it is of.
///
/// Without such names nothing would tell a later import of the same values that they were erased.
package struct ErasedName: Hashable, Sendable {
    package let entity: EntityReference
    /// The field's number; nil for the entity as a whole.
    package let field: UInt64?

    package init(_ entity: EntityReference, field: UInt64? = nil) { (self.entity, self.field) = (entity, field) }
}

extension ResolvedErasing {
    /// The names of erasures that stand, by replicas that may write: a reader keeps nothing out of others' imports.
    var names: Set<ErasedName> {
        var found: Set<ErasedName> = []
        for erasure in fates.values.lazy.flatMap(\.erasures) where !erasure.standing.isEmpty {
            // A replica that is no member states for itself alone.
            if let role = rights.membership?.members[erasure.eraser]?.role, role < .write { continue }
            if case .erasure(_, let names, _) = erasure.fact.statement { found.formUnion(names) }
        }
        return found
    }
}

extension LogSnapshot {
    /// Names of entities and fields that imports leave out because they were erased. O(statements).
    package func erasedNames() throws -> Set<ErasedName> { try erasing()?.names ?? [] }
}
