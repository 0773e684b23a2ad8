import Foundation
import TripStore

/// Kinds that apps have added, by the names that the log has.
extension TripStore {
    /// The kind of a name. Throws if the log describes none, or several, that are called so.
    func ownKind(named name: String) throws -> OwnKind {
        let described = try fieldDescriptions().filter { $0.isOfKind && $0.ownKind?.isOfStore != true }
        let found = described.filter { $0.name == name }
        if found.count == 1, let kind = found.first?.ownKind { return kind }
        if found.isEmpty {
            // An app may have called a kind so before the store did.
            if let kind = StoreKinds.kind(named: name) { return kind }
            let names = Set(described.map(\.name)).sorted().joined(separator: ", ")
            throw CommandError(
                "The log describes no kind '\(name)'."
                    + (names.isEmpty
                        ? " An app's store writes them before its first entity." : " It describes \(names)."),
                code: "unknownKind")
        }
        let namespaces = found.map(\.namespace).sorted().joined(separator: ", ")
        throw CommandError(
            "The kinds of several apps are called '\(name)': \(namespaces). The tool cannot tell them apart.",
            code: "ambiguous")
    }
}

extension TripStore {
    /// Names kinds and fields as the log does, in the store's messages and in what the command prints.
    func useDescriptions() throws {
        try useFieldDescriptions()
        Console.current.known.add(try fieldDescriptions())
    }
}

extension TripQuerying {
    /// The name of an entity of any kind that is there; "" if it is not, or has none.
    func name(of entity: EntityReference) throws -> String {
        try read { try $0.record(of: entity) }.map { entity.name(of: $0, in: Console.current.known) } ?? ""
    }
}
