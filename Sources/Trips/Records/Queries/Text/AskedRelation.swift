import Events

/// Entities that belong to those of a kind, or that a field names, as a question in words sees them.
struct AskedRelation {
    let link: RelatedCondition.Link
    let kinds: [KnownKind]

    /// The fields that a condition on them may name: those that all of the kinds have.
    var fields: AskedFields { AskedFields(kinds) }

    /// Some of them meet a condition.
    func some(_ condition: ConditionNode) -> ConditionNode {
        .related(RelatedCondition(link: link, kinds: kinds, condition: condition))
    }
}

/// The kinds that a question in words may name.
struct AskedKinds {
    private typealias Named = (name: String, kind: KnownKind)

    /// The store's own, those without parents first.
    private let builtIn: [Named]
    private let parts: [KnownKind]

    /// The kinds in namespaces: those that the store declares, and others that its log describes.
    private let own: [Named]

    init(_ known: KnownSchema?) {
        parts = KnownKind.parts(in: known)
        let roots = EntitySchema.all.filter { $0.parents == .none }.map { KnownKind($0.type, in: known) }
        builtIn = (roots + parts).map { ($0.schema.name, $0) }
        let declared = known.declared.namespacedKinds.map { Named($0.name, KnownKind($0.type, in: known)) }
        let numbers = Set(declared.compactMap(\.kind.own))
        let described = (known?.describedKinds ?? []).compactMap { description -> Named? in
            guard let kind = description.ownKind, !numbers.contains(kind) else { return nil }
            return (description.name, KnownKind(kind, in: known))
        }
        own = (declared + described).sorted {
            ($0.name, $0.kind.own?.hashName ?? "") < ($1.name, $1.kind.own?.hashName ?? "")
        }
    }

    /// What belongs to the entities of a kind, by the name of one. Throws `unknownKind` with the nearest name, or `ambiguousField`.
    func relation(
        _ token: QueryToken, of schema: EntitySchema, in text: String
    ) throws(QueryTextError) -> AskedRelation {
        let parts = parts.compactMap { kind in kind.schema.link(to: schema).map { (kind: kind, link: $0) } }
        let named = token.text == EntitySchema.nameOfParts ? parts : parts.filter { $0.kind.schema.name == token.text }
        if let link = named.first?.link { return AskedRelation(link: link, kinds: named.map(\.kind)) }
        let builtIn = parts.isEmpty ? [] : [EntitySchema.nameOfParts] + parts.map(\.kind.schema.name)
        return AskedRelation(
            link: .children, kinds: [try ownKind(token, beside: builtIn, in: text, "A \(schema.name) has")])
    }

    /// The kind of a name. Throws like `relation`.
    func kind(_ token: QueryToken, in text: String) throws(QueryTextError) -> KnownKind {
        if let found = builtIn.first(where: { $0.name == token.text }) { return found.kind }
        return try ownKind(token, beside: builtIn.map(\.name), in: text, "The kinds are")
    }

    private func ownKind(
        _ token: QueryToken, beside builtIn: [String], in text: String, _ subject: String
    ) throws(QueryTextError) -> KnownKind {
        let name = token.text
        let named = own.filter { $0.name == name || $0.kind.own?.hashName == name }
        // The store's own kinds come before those of apps, as its first ones do.
        let stores = named.filter { $0.kind.own?.isOfStore == true }
        let found = stores.isEmpty ? named : stores
        guard let kind = found.first?.kind else {
            let names = builtIn + own.map(\.name)
            let nearest = NearestName.of(name, in: names).map { "Did you mean '\($0)'? " } ?? ""
            let all = names.isEmpty ? "" : "\(subject) \(names.joined(separator: ", "))."
            throw QueryTextError(
                .unknownKind, "No kind '\(name.prefix(60))' can be asked here. \(nearest)\(all)", in: text,
                at: token.offset)
        }
        guard found.count == 1 else {
            let names = found.compactMap { $0.kind.own?.hashName }.joined(separator: ", ")
            throw QueryTextError(
                .ambiguousField, "The kinds of several apps are called '\(name.prefix(60))'. Write one of \(names).",
                in: text, at: token.offset)
        }
        return kind
    }
}

extension EntitySchema {
    /// How entities of the kind belong to those of another of the store's own: they lie under these, or a field names them. Nil if they do not.
    fileprivate func link(to other: EntitySchema) -> RelatedCondition.Link? {
        guard other.own == nil else { return nil }
        if parents == .one(other.kind) { return .children }
        return fields.first { $0.type.form == .reference(other.kind) }.map { .naming(by: $0.number) }
    }
}
