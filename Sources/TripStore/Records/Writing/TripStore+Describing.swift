import Events
import Logging
public import Trips

extension TripStore {
    /// Writes names and types of apps' own fields, and of apps' own kinds by their schemas, into the log, so that the tool shows them by
    /// name, and programs without the app can. A store does so by itself before it first writes a kind or a field that its options name: this
    /// is for programs that describe and write nothing else.
    ///
    /// What the log says already is not written again: the receipt tells.
    ///
    /// Throws what the log refuses.
    @discardableResult
    public func describe(
        _ parts: [any SchemaPart], by authorship: Authorship = Authorship()
    ) async throws -> Receipt {
        try await describe(DeclaredSchema(parts).descriptions, by: authorship)
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

    /// Names in the log the kinds and fields that the store knows in the namespaces of some parts, before the first of them is written, so that
    /// replicas without them show them by name. The log is asked once for a namespace.
    ///
    /// A failure is not thrown: it meets the write that follows, which says more of it.
    func describe(_ used: [UsedPart]) async {
        let namespaces = knownSchema.undescribed(used)
        guard !namespaces.isEmpty else { return }
        do {
            let descriptions = namespaces.sorted().flatMap { knownSchema.declared.descriptions(in: $0) }
            if !descriptions.isEmpty { try await describe(descriptions, by: Authorship()) }
            knownSchema.noteDescribed(namespaces)
        } catch {
            logger.debug("kinds and fields were not described", metadata: ["error": "\(error)"])
        }
    }

    /// Throws `ValidationError.unknownKind` or `.unknownField` if an author writes a kind or a field in a namespace that neither the options
    /// nor the log know: its rules would be broken, and people could not read it.
    func checkKnown(_ draft: DraftedEvents) throws {
        guard !draft.used.allSatisfy(knownSchema.knows) else { return }
        try useFieldDescriptions()
        for part in draft.used where !knownSchema.knows(part) {
            guard let event = draft.firstWrite(of: part) else { continue }
            throw ValidationError(
                part.number == 0 ? .unknownKind : .unknownField,
                "This store does not know \(part.words). Open the store with it in Options(schema:).",
                entity: event.entity, field: part.number == 0 ? nil : FieldPath.ownName(of: part.number))
        }
    }

    /// The descriptions of apps' own fields that the log has. O(fields).
    package func fieldDescriptions() throws -> [FieldDescription] {
        FieldDescription.all(in: try read { try $0.record(of: FieldDescription.entity) })
    }

    /// The same with the kinds and fields of the store's own namespace, whether the log names them or not.
    package func knownFieldDescriptions() throws -> [FieldDescription] {
        let own = StoreKinds.descriptions + StoreKinds.listed
        return try own + fieldDescriptions().filter { $0.namespace != own.first?.namespace }
    }

    /// Names kinds and fields from now on as the log does, where the options do not declare them.
    package func useFieldDescriptions() throws { knownSchema.add(try fieldDescriptions()) }
}
