import Foundation

/// One of a trip's three lists of embedded items, with the list of ids that goes with it.
struct ItemList {
    /// An id of the list of ids, and its place.
    struct Listed {
        var id: UUID
        var index: Int
        var mark: Mark
    }

    let kind: ExportedItem.Kind
    private(set) var items: [ExportedItem] = []
    /// The ids of all embedded objects, also of bad ones: an item that is left out is reported once.
    private(set) var embedded: [UUID] = []
    private(set) var listed: [Listed] = []
    private var itemProblems: [ExportProblem] = []
    private var idProblems: [ExportProblem] = []

    init(_ kind: ExportedItem.Kind) {
        self.kind = kind
    }

    /// Moves the items and the problems to the trip's.
    mutating func move(to items: inout [ExportedItem], _ problems: inout [ExportProblem]) {
        if items.isEmpty { swap(&items, &self.items) } else if !self.items.isEmpty { items += self.items }
        if !itemProblems.isEmpty { problems += itemProblems }
        if !idProblems.isEmpty { problems += idProblems }
    }

    /// The number of records, including bad ones.
    var recordCount: Int { items.count + itemProblems.count }

    /// Whether the ids are those of the embedded objects in the same order, as the app writes them.
    var isInOrder: Bool { listed.count == embedded.count && zip(listed, embedded).allSatisfy { $0.id == $1 } }

    /// Reads the embedded objects, replacing any that were read before.
    mutating func readItems(_ reader: inout JSONReader, _ faults: inout Faults) throws(ExportError) {
        items.removeAll()
        embedded.removeAll()
        itemProblems.removeAll()
        guard try reader.list(&faults) else { return }
        while try reader.nextElement() {
            _ = try reader.peek()
            let mark = reader.mark
            if let problem = try reader.problemOfElement("An item", .item(kind)) {
                itemProblems.append(problem)
                continue
            }
            try reader.beginObject()
            var decoder = ItemDecoder()
            try decoder.read(&reader)
            if let id = decoder.id { embedded.append(id) }
            // A pass without texts reports no places, and a path costs as much as a field.
            switch decoder.finish(kind, at: mark, path: reader.keepsTexts ? reader.path : "") {
            case .good(let item): items.append(item)
            case .bad(let problem):
                try reader.noteProblem(at: mark.place(reader.path))
                itemProblems.append(problem)
            }
        }
    }

    /// Reads the list of ids, replacing any that was read before.
    mutating func readIDs(_ reader: inout JSONReader, _ faults: inout Faults) throws(ExportError) {
        listed.removeAll()
        idProblems.removeAll()
        guard try reader.list(&faults) else { return }
        while try reader.nextElement() {
            _ = try reader.peek()
            let mark = reader.mark
            guard try reader.valueKind() == .text else {
                let place = mark.place(reader.path)
                try reader.noteProblem(at: place)
                try reader.skipValue()
                idProblems.append(badID(at: place, "what is listed is no id"))
                continue
            }
            let token = try reader.readStringToken()
            if let id = reader.uuid(token) {
                listed.append(Listed(id: id, index: reader.top.index, mark: mark))
            } else {
                let (place, text) = (mark.place(reader.path), reader.text(token).excerpt())
                try reader.noteProblem(at: place)
                idProblems.append(badID(at: place, "the listed id \(text) is no UUID"))
            }
        }
    }

    private func badID(at place: Place, _ what: String) -> ExportProblem {
        ExportProblem(place: place, reason: "\(what), so no \(kind.rawValue) can be found for it.")
    }
}
