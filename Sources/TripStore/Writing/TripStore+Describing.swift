import Synchronization
public import Trips

extension TripStore {
    /// Writes names and types of apps' own fields, and of apps' own kinds by their schemas, into the log, so that the tool shows them by
    /// name, and programs without the app can. An app does so when it opens its store.
    ///
    /// What the log says already is not written again: the receipt tells.
    ///
    /// Throws what the log refuses.
    @discardableResult
    public func describe(
        _ fields: [any DescribedField], by authorship: Authorship = Authorship()
    ) async throws -> Receipt {
        try await describe(fields.flatMap(\.fieldDescriptions), by: authorship)
    }

    @discardableResult
    package func describe(_ descriptions: [FieldDescription], by authorship: Authorship) async throws -> Receipt {
        let entity = FieldDescription.entity
        return try await writeComputed {
            let (event, version, position) = try read { views in
                let record = try views.record(of: entity)
                return (
                    FieldDescription.event(writing: descriptions, over: record), record?.version ?? .none,
                    views.position
                )
            }
            guard let event else {
                return Receipt(unchangedAt: position, versions: [entity: version], entities: [entity])
            }
            return try await write(computed: [event], .adopting, by: authorship, expecting: [entity: version])
        }
    }

    /// Names the kinds and fields of the store's own namespace in the log before the first of them is written, so that a version without
    /// them shows them by name. Once in a process the log is asked.
    func describeStoreKinds() async throws {
        guard !hasDescribedStoreKinds.load(ordering: .relaxed) else { return }
        try await describe(StoreKinds.descriptions, by: Authorship())
        hasDescribedStoreKinds.store(true, ordering: .relaxed)
    }

    /// The descriptions of apps' own fields that the log has. O(fields).
    public func fieldDescriptions() throws -> [FieldDescription] {
        FieldDescription.all(in: try read { try $0.record(of: FieldDescription.entity) })
    }

    /// The same with the kinds and fields of the store's own namespace, whether the log names them or not.
    package func knownFieldDescriptions() throws -> [FieldDescription] {
        let own = StoreKinds.descriptions + StoreKinds.listed
        return try own + fieldDescriptions().filter { $0.namespace != own.first?.namespace }
    }

    /// Names kinds and fields from now on as the log does, where this process does not declare them.
    package func useFieldDescriptions() throws { knownSchema.add(try fieldDescriptions()) }
}
