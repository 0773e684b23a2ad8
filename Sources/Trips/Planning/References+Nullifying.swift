package import Events

extension OwnValues {
    /// Whether there may be a value of a field that names travellers.
    package var nameTravellers: Bool { mayHaveStoreFields }

    /// Leaves out what names travellers of which `isDeleted` says so, as a value or as the key of one. Nothing is drafted: an edit does not
    /// write it.
    mutating func nullify(where isDeleted: (EntityReference) throws -> Bool) rethrows {
        guard nameTravellers else { return }
        let kept = try values.filter { value in
            guard StoreNamespace.describes(field: value.path.field) else { return true }
            let bytes = value.path.element?.kind == .entry ? value.path.element?.name ?? [] : value.bytes
            guard let target = EntityReference(fieldValue: bytes), target.kind == Traveller.kind else { return true }
            return try !isDeleted(target)
        }
        if kept.count < values.count { keep(kept) }
    }
}

extension TripItem {
    /// As that of an entity.
    package mutating func nullify(where isDeleted: (EntityReference) throws -> Bool) rethrows {
        guard hasOwnValues else { return }
        switch self {
        case .activity(var item):
            try item.nullify(where: isDeleted)
            self = .activity(item)
        case .lodging(var item):
            try item.nullify(where: isDeleted)
            self = .lodging(item)
        case .transportation(var item):
            try item.nullify(where: isDeleted)
            self = .transportation(item)
        }
    }
}
