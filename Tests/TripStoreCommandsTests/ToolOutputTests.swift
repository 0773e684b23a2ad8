import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore

/// Holds what the tool prints against the tables of the document that says what it prints.
@Suite("The document of what the tool prints")
struct ToolOutputTests {
    /// Members that only a damaged medium, a lost key or an erased commit brings about.
    private static let unreached: Set = [
        "commit.readable", "commit.erased", "commit.erasedEvents", "status.stranded", "status.unreadableRecords",
        "status.foreignRecords",
        "written bundle.unsigned",
    ]

    @Test(
        "Each line has the members of its table, in that order and of these types, and no others",
        arguments: Part.allCases)
    fileprivate func members(part: Part) async throws {
        let document = try OutputDocument()
        for line in try await part.lines() {
            var check = OutputCheck(document)
            check.line(line)
            #expect(check.faults == [], "\(line.text)")
        }
    }

    @Test("Every member that is documented is printed by some command")
    func everyMember() async throws {
        let document = try OutputDocument()
        var check = OutputCheck(document)
        for part in Part.allCases {
            for line in try await part.lines() { check.line(line) }
        }
        let documented = Set(document.objects.flatMap { name, rows in rows.map { "\(name).\($0.member)" } })
        #expect(documented.subtracting(check.printed).sorted() == Self.unreached.sorted())
    }

    @Test("Every command that takes --json is in the document, and the document names no other")
    func everyCommand() async throws {
        let document = try OutputDocument()
        #expect(try await Self.commands(under: []).sorted() == document.commands.keys.sorted())
    }

    @Test("Every type in the tables is explained, and every table is of something that is printed")
    func everyType() throws {
        let document = try OutputDocument()
        let rows = document.objects.values.flatMap { $0 }
        let types = rows.map(\.type) + document.commands.values + document.fields.values
        let named = Set(types.flatMap { $0.components(separatedBy: " or ") }.map(Self.element))
        let explained = document.types.union(document.objects.keys).union(["null"])
        #expect(named.subtracting(explained) == [])
        let used = named.union(document.included).union(["unread value"])
        #expect(Set(document.objects.keys).subtracting(used) == [])
        #expect(document.types == Set(OutputCheck.forms.keys).union(["boolean", "integer", "number", "value"]))
    }

    @Test("Quotes and control characters are escaped, and all others are printed as they are")
    func escapes() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "\"\\/\n\r\t\u{1B}\u{7F}\u{85}\u{2028}é")
        let printed = try await tool.value("trips", "--undated", "--json")
        #expect(printed.contains("\"name\":\"\\\"\\\\/\\n\\r\\t\\u001b\\u007f\u{85}\u{2028}é\","))
        await tool.expectInvariants()
    }

    @Test("A command that fails prints no JSON, and the exit code tells a failure from a command line that is none")
    func failures() async throws {
        let tool = try await Tool.withStore()
        let failed = await tool.run("show", ExportFixture.id(1).uuidString, "--json")
        #expect(failed.code == 1 && failed.out.isEmpty && failed.error.hasPrefix("Error: "))
        let refused = await tool.run("show", "Lisbon", "--json")
        #expect(refused.code == 64 && refused.out.isEmpty && refused.error.hasPrefix("Error: "))
        for day in 1...3 { _ = try await tool.value("add", "trip", "--name", "T", "--start-date", "2027-05-0\(day)") }
        let page = await tool.run("trips", "--limit", "2", "--json")
        #expect(page.code == 0 && page.out.count == 2)
        let cursor = try #require(try /next: ([0-9a-f]+)/.wholeMatch(in: page.error)?.output.1)
        #expect(await tool.run("trips", "--after", String(cursor), "--json").out.count == 1)
        await tool.expectInvariants()
    }

    /// What a list, or an object by replica, holds.
    private static func element(of type: String) -> String {
        if type.hasPrefix("list of ") { return String(type.dropFirst("list of ".count)) }
        return type.replacing(" by replica", with: "")
    }

    /// The commands without subcommands whose help names `--json`, as the help lists them.
    private static func commands(under words: [String]) async throws -> [String] {
        let help = try #require(await Tool.run(words + ["--help"]).out.first)
        guard let list = help.components(separatedBy: "SUBCOMMANDS:\n").dropFirst().first else {
            return help.contains("--json") ? [words.joined(separator: " ")] : []
        }
        var found: [String] = []
        for line in list.split(separator: "\n") {
            guard let name = try /\s\s([a-z]+)\s.+/.wholeMatch(in: line)?.output.1 else { continue }
            found += try await commands(under: words + [String(name)])
        }
        return found
    }
}

// MARK: The document

/// The tables of the document.
private struct OutputDocument {
    struct Row {
        /// The table that has the row: another one where a table includes all of that.
        let table: String
        let member: String
        let type: String
        let isOptional: Bool
    }

    /// The rows of each object, without those of other tables.
    private(set) var objects: [String: [Row]] = [:]
    /// What each command prints.
    private(set) var commands: [String: String] = [:]
    /// The type of each field's values.
    private(set) var fields: [String: String] = [:]
    /// The types that are no objects.
    private(set) var types: Set<String> = []
    /// The objects whose rows other tables include.
    var included: Set<String> { Set(parts.values.flatMap { $0.map(\.included) }) }
    /// Of each object, in their order: a row of its own, or the name of an object that it includes.
    private var parts: [String: [(row: Row?, included: String)]] = [:]

    init() throws {
        let path = SourceFile.path("Sources/TripStore/TripStore.docc/ToolOutput.md")
        var header: [String]?
        for line in try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n") {
            guard line.hasPrefix("|") else {
                header = nil
                continue
            }
            let cells = line.dropFirst().dropLast().components(separatedBy: "|").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard let names = header else {
                header = cells
                continue
            }
            if !cells[0].hasPrefix("---") { try add(cells, below: names) }
        }
    }

    private mutating func add(_ cells: [String], below header: [String]) throws {
        try #require(cells.count == header.count, "\(cells)")
        let names = cells[0].components(separatedBy: ", ").map { $0.replacing("`", with: "") }
        switch header {
        case ["command", "prints", "object"]: for name in names { commands[name] = cells[2] }
        case ["field", "type", "meaning"]: for name in names { fields[name] = cells[1] }
        case ["type", "JSON", "form"]: types.formUnion(names)
        case [header[0], "type", "left out", "meaning"]:
            let object = header[0]
            objects[object, default: []] += []
            guard !names[0].hasPrefix("all of ") else {
                parts[object, default: []].append((nil, String(names[0].dropFirst("all of ".count))))
                return
            }
            let row = Row(table: object, member: names[0], type: cells[1], isOptional: !cells[2].isEmpty)
            objects[object, default: []].append(row)
            parts[object, default: []].append((row, ""))
        default: break
        }
    }

    /// The rows of an object, those of the tables that it includes in their place.
    func rows(of object: String) -> [Row] {
        (parts[object] ?? []).flatMap { part in part.row.map { [$0] } ?? rows(of: part.included) }
    }
}

/// Checks lines, and notes which members they have.
private struct OutputCheck {
    let document: OutputDocument
    private(set) var faults: [String] = []
    /// As `table.member`.
    private(set) var printed: Set<String> = []

    /// The form of each type that is a text.
    static let forms = [
        "text": "(?s:.*)", "id": "[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}", "replica": replica,
        "hash": hash, "commit id": commit, "frontier": "(\(commit)(,\(commit))*)?",
        "time": #"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"#,
        "local time": #"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?(Z|[+-]\d\d:\d\d)"#, "day": #"\d{4}-\d\d-\d\d"#,
        "kind": #"trip|activity|lodging|transportation|organization|\d+"#,
        "verb": #"created|edited|deleted|restored|verb \d+"#,
    ]
    private static let replica = "[0-9a-f]{32}"
    private static let hash = "[0-9a-f]{64}"
    private static let commit = "\(replica):[0-9]+:\(hash)"

    init(_ document: OutputDocument) { self.document = document }

    mutating func line(_ line: PrintedLine) {
        let objects = document.commands[line.command]?.components(separatedBy: " or ") ?? []
        if !objects.contains(line.object) { faults.append("\(line.command) prints a \(line.object)") }
        do { value(try PrintedValue(line.text), line.object, line.command, field: nil) } catch {
            faults.append("\(line.command): \(error)")
        }
    }

    /// - Parameter field: the name of the field whose value it is, if that is known.
    private mutating func value(_ value: PrintedValue, _ type: String, _ path: String, field: String?) {
        var choices = type.components(separatedBy: " or ")
        if type == "value" {
            let known = field.flatMap { document.fields[$0] }.map { [$0] }
            // Of sides of a conflict the field is not beside the value, and a deletion is true.
            choices = (known ?? (document.fields.values + ["boolean"])) + ["unread value", "null"]
        }
        var first: [String] = []
        for choice in choices {
            var attempt = self
            attempt.one(value, choice, path)
            if attempt.faults.count == faults.count {
                self = attempt
                return
            }
            if first.isEmpty { first = attempt.faults }
        }
        faults = first
    }

    private mutating func one(_ value: PrintedValue, _ type: String, _ path: String) {
        switch value {
        case .null where type == "null": break
        case .boolean where type == "boolean": break
        case .number(let digits) where type == "integer" && Self.matches(digits, "-?[0-9]+"): break
        case .number where type == "number": break
        case .text(let text) where Self.forms[type].map({ Self.matches(text, $0) }) == true: break
        case .list(let entries) where type.hasPrefix("list of "):
            let type = String(type.dropFirst("list of ".count))
            for entry in entries { self.value(entry, type, path, field: nil) }
        case .object(let members) where type == "integer by replica":
            for (name, value) in members {
                if !Self.matches(name, Self.replica) { faults.append("\(path): \(name) is no replica") }
                self.value(value, "integer", path, field: nil)
            }
        case .object(let members) where document.objects[type] != nil: object(members, type, path)
        default: faults.append("\(path) is no \(type)")
        }
    }

    private mutating func object(_ members: [(name: String, value: PrintedValue)], _ type: String, _ path: String) {
        let rows = document.rows(of: type)
        let names = members.map(\.name)
        let expected = rows.filter { names.contains($0.member) || !$0.isOptional }.map(\.member)
        if names != expected { faults.append("\(path) has \(names) in the place of \(expected)") }
        let field = members.lazy.compactMap { name, value -> String? in
            if name == "field", case .text(let text) = value { text } else { nil }
        }.first
        for (name, value) in members {
            guard let row = rows.first(where: { $0.member == name }) else { continue }
            printed.insert("\(row.table).\(name)")
            self.value(value, row.type, "\(path).\(name)", field: field)
        }
    }

    private static func matches(_ text: String, _ form: String) -> Bool {
        text.range(of: "\\A(?:\(form))\\z", options: .regularExpression) != nil
    }
}

// MARK: What is printed

/// A line, the command that printed it, and the object that it is to be.
private struct PrintedLine {
    let command: String
    let object: String
    let text: String
}

/// A value as it was printed: members in their order, and numbers by their digits.
private indirect enum PrintedValue {
    case null
    case boolean
    case number(String)
    case text(String)
    case list([PrintedValue])
    case object([(name: String, value: PrintedValue)])

    private struct Malformed: Error {}

    /// Throws if the line is no JSON, or has white space outside of strings.
    init(_ line: String) throws {
        let token = /"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^{}\[\]:,"\s]+/.matchingSemantics(.unicodeScalar)
        let tokens = line.matches(of: token).map(\.output)
        try #require(tokens.joined() == line && !line.contains("\n"))
        _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
        var rest = tokens[...]
        self = try PrintedValue(&rest)
    }

    private init(_ tokens: inout ArraySlice<Substring>) throws {
        guard let token = tokens.popFirst() else { throw Malformed() }
        switch token {
        case "null": self = .null
        case "true", "false": self = .boolean
        case "[":
            var entries: [PrintedValue] = []
            while tokens.first != "]" {
                if !entries.isEmpty { tokens.removeFirst() }
                entries.append(try PrintedValue(&tokens))
            }
            tokens.removeFirst()
            self = .list(entries)
        case "{":
            var members: [(name: String, value: PrintedValue)] = []
            while tokens.first != "}" {
                if !members.isEmpty { tokens.removeFirst() }
                guard let name = tokens.popFirst(), tokens.popFirst() == ":" else { throw Malformed() }
                members.append((try Self.string(name), try PrintedValue(&tokens)))
            }
            tokens.removeFirst()
            self = .object(members)
        default: self = token.hasPrefix("\"") ? .text(try Self.string(token)) : .number(String(token))
        }
    }

    private static func string(_ token: Substring) throws -> String {
        try JSONDecoder().decode(String.self, from: Data(token.utf8))
    }
}

/// Runs commands with `--json`, and keeps what they print.
private struct Session {
    let tool: Tool
    private(set) var lines: [PrintedLine] = []

    /// Runs a command that prints such an object, or several, and answers the first.
    @discardableResult
    mutating func run(_ object: String, _ arguments: String..., code: Int32 = 0) async throws -> [String: Any] {
        let arguments = arguments + ["--json"]
        let outcome = arguments[0] == "clone" ? await Tool.run(arguments) : await tool.run(arguments)
        #expect(outcome.code == code, "\(arguments): \(outcome.error)")
        let isNested = ["add", "audit", "bundle"].contains(arguments[0])
        let command = arguments.prefix(isNested ? 2 : 1).joined(separator: " ")
        lines += outcome.out.map { PrintedLine(command: command, object: object, text: $0) }
        return try outcome.object()
    }

    mutating func add(_ kind: String, _ arguments: String...) async throws -> String {
        let outcome = await tool.run(["add", kind] + arguments + ["--json"])
        lines += outcome.out.map { PrintedLine(command: "add \(kind)", object: "addition", text: $0) }
        return try #require(try outcome.object()["id"] as? String, "\(outcome.error)")
    }
}

/// Stores on which the commands are run.
private enum Part: CaseIterable {
    case trips, writing, log, replicas, copies, damage

    func lines() async throws -> [PrintedLine] {
        var session = Session(tool: Tool())
        try await session.run("new store", "init", "--name", "ana's phone")
        switch self {
        case .trips: try await Self.trips(&session)
        case .writing: try await Self.writing(&session)
        case .log: try await Self.log(&session)
        case .replicas: try await Self.replicas(&session)
        case .copies: try await Self.copies(&session)
        case .damage: try await Self.damage(&session)
        }
        await session.tool.expectInvariants()
        return session.lines
    }

    /// Items with every field and with none, listed, shown, compared, rebuilt and backed up.
    private static func trips(_ session: inout Session) async throws {
        let airline = try await session.add(
            "organization", "--name", "TAP", "--phone", "1", "--email", "a@b.c", "--website", "w", "--logo-url", "l",
            "--city", "Lisboa", "--latitude", "38.7", "--longitude", "-9.1")
        let trip = try await session.add(
            "trip", "--name", "\"Lisbon\"\t\u{1B}\u{7F}\n\\é", "--destination", "L", "--notes", "N", "--protected",
            "--start-date", "2027-05-01", "--end-date", "2027-05-08")
        let open = try await session.add("trip", "--name", "Open")
        _ = try await session.add("trip", "--name", "Begun", "--start-date", "2027-05-02")
        _ = try await session.add("activity", "--name", "Tram", "--trip", trip)
        _ = try await session.add(
            "lodging", "--name", "Inn", "--trip", trip, "--reservation", "R", "--start", "2027-01-02T10:00:00.250",
            "--start-time-zone", "Europe/Lisbon", "--cost", "1000", "--currency", "jpy")
        _ = try await session.add(
            "transportation", "--name", "TP1", "--trip", trip, "--mode", "plane", "--start", "2027-05-01T10:00",
            "--start-time-zone", "Europe/Lisbon", "--end", "2027-05-01T14:00", "--end-time-zone", "America/New_York",
            "--cost", "-5.10", "--currency", "EUR", "--paid", "in-full", "--confirmation", "X", "--organization",
            airline, "--custom-location-name", "Gate 3", "--hides-location", "--street", "S", "--notes", "n")
        try await session.run("trip row", "trips")
        try await session.run("trip row", "trips", "--as-of", "3")
        try await session.run("trip row", "trips", "--undated")
        try await session.run("shown trip", "show", trip)
        try await session.run("shown trip", "show", open)
        try await session.run("shown trip", "show", trip, "--as-of", "6")
        try await session.run("commit", "audit", "log")
        try await session.run("blame", "audit", "blame", airline)
        try await session.run("difference", "audit", "diff", "0", "8")
        try await session.run("report", "audit", "report", session.tool.folder.path("report.html"))
        try await session.run("verification", "audit", "verify")
        try await session.run("replay", "replay")
        try await session.run("replay", "replay", "--verify")
        try await session.run("past replay", "replay", "--as-of", "4")
        try await session.run("status", "status", "--digests")
        try await session.run("backup", "backup", session.tool.folder.path("backup"))
    }

    /// Receipts, and what undoing comes to.
    private static func writing(_ session: inout Session) async throws {
        let trip = try await session.add("trip", "--name", "Lisbon", "--author", "ana")
        let tram = try await session.add("activity", "--name", "Tram", "--trip", trip)
        let other = try await session.add("trip", "--name", "Porto")
        try await session.run("receipt", "edit", trip, "--name", "Lisboa", "--author", "ana")
        try await session.run("unchanged", "edit", trip, "--name", "Lisboa")
        try await session.run("receipt", "move", tram, "--to", other)
        try await session.run("unchanged", "move", tram, "--to", other)
        try await session.run("receipt", "delete", trip, other)
        try await session.run("blame", "audit", "blame", trip)
        try await session.run("receipt", "restore", trip, other)
        try await session.run("undoing", "undo", "--last", "--author", "ana", "--dry-run")
        try await session.run("undoing", "undo", "--last", "--author", "ana")
        try await session.run("undoing", "redo", "--author", "ana", "--dry-run")
        try await session.run("undoing", "redo", "--author", "ana")
        // Others wrote to the trip since.
        try await session.run("undoing", "undo", "--commit", "2", code: 1)
    }

    /// An import, a conflict, events of another version, a clock that was put back, and a subscription.
    private static func log(_ session: inout Session) async throws {
        let path = session.tool.path
        try await ExportFixture(trips: [ExportFixture.trip(1, flights: [ExportFixture.flight(2)])]).withFile {
            try await session.run("import", "import", $0, "--author", "ana")
            try await session.run("import", "import", $0)
        }
        let trip = try await session.add("trip", "--name", "Lisbon")
        let id = Trip.ID(try #require(UUID(uuidString: trip)))
        var options = TripStore.Options()
        let now = options.surroundings.now
        options.surroundings.now = { now() - 3_600_000 }
        let store = try await TripStore.open(at: URL(fileURLWithPath: path), options: options)
        let original = try #require(try store.trip(id))
        try await store.edit(id) { $0.name = "Faro" }
        var draft = original
        draft.name = "Porto"
        try await store.save(draft, from: original)
        let stranger = EntityReference(kind: EntityKind(rawValue: 42), id: ExportFixture.id(3))
        try await store.appendUnchecked([
            Event(
                verb: Verb(rawValue: 77), entity: stranger,
                changes: [Change(path: Path(field: 4000, key: [10]), value: [1, 2, 3])]),
            // No day is written so.
            Event(
                verb: .edited, entity: id.reference,
                changes: [Change(path: Path(field: Trip.Field.startDay.rawValue), value: [0xFF])]),
        ])
        await store.close()

        try await session.run("commit", "audit", "log")
        try await session.run("commit", "audit", "show", "1")
        try await session.run("commit", "tail", "--no-follow")
        try await session.run("commit", "tail", "--no-follow", "--subscription", "mirror", "--after", "0")
        try await session.run("status", "status")
        try await session.run("blame", "audit", "blame", trip)
        try await session.run("blame", "audit", "blame", stranger.id.uuidString)
        try await session.run("difference", "audit", "diff", "3", "6")
        let conflict = try await session.run("conflict", "audit", "conflicts")
        let name = try #require(conflict["id"] as? String)
        try await session.run("receipt", "settle", name, "--take", "superseded")
        try await session.run("conflict", "audit", "conflicts", "--all")
    }

    /// Two replicas that meet, by folder and by bundle, and strangers.
    private static func replicas(_ session: inout Session) async throws {
        let (ana, ben, empty) = (session.tool, Tool(), try await Tool.withStore())
        let trip = try await session.add("trip", "--name", "Lisbon")
        try await session.run("clone", "clone", ana.path, ben.path, "--name", "ben's laptop")
        _ = try await ana.value("edit", trip, "--name", "Porto")
        _ = try await ben.value("edit", trip, "--name", "Faro")
        let (whole, part) = (ana.folder.path("whole"), ana.folder.path("part"))
        #expect(await ben.run("bundle", "write", whole).code == 0)
        try await session.run("peer", "peers")
        try await session.run("written bundle", "bundle", "write", part, "--since", whole)
        try await session.run("shown bundle", "bundle", "show", part)
        try await session.run("exchange", "bundle", "read", whole)
        try await session.run("exchange", "sync", ben.path)
        try await session.run("conflict", "audit", "conflicts")
        // One edits what the other deletes.
        _ = try await ana.value("edit", trip, "--notes", "sunny", "--destination", "L")
        _ = try await ben.value("delete", trip)
        try await session.run("exchange", "sync", ben.path)
        try await session.run("status", "status")
        try await session.run("peer", "peers")
        try await session.run("forgotten peer", "peers", "--forget", try await ben.replica())

        var joining = Session(tool: empty)
        try await joining.run("exchange", "sync", ana.path)
        let stranger = try await Tool.withStore()
        _ = try await stranger.value("add", "trip", "--name", "Rome")
        try await joining.run("adoption", "sync", stranger.path, "--adopt")
        try await joining.run("adoption", "sync", stranger.path, "--adopt")
        session = Session(tool: ana, lines: session.lines + joining.lines)
        for tool in [ben, empty, stranger] { await tool.expectInvariants() }
    }

    /// Copies that wrote apart as one replica, and a clock that is ahead.
    private static func copies(_ session: inout Session) async throws {
        let (one, two) = (Tool(), Tool())
        for tool in [one, two] {
            try FileManager.default.createDirectory(at: tool.folder.url, withIntermediateDirectories: true)
        }
        try await TripStoreHandle.open(one.path, isBlind: true).add("Lisbon")
        try FileManager.default.copyItem(atPath: one.path, toPath: two.path)
        try await TripStoreHandle.open(one.path, isBlind: true).add("Porto")
        try await TripStoreHandle.open(two.path, isBlind: true).add("Faro")
        var copied = Session(tool: one)
        try await copied.run("exchange", "sync", two.path)
        try await copied.run("status", "status")

        let ahead = Tool()
        #expect(await Tool.run(["clone", session.tool.path, ahead.path]).code == 0)
        var options = TripStore.Options()
        let now = options.surroundings.now
        options.surroundings.now = { now() + 3_600_000 }
        let store = try await TripStore.open(at: URL(fileURLWithPath: ahead.path), options: options)
        try await store.create(Trip(name: "Lisbon"))
        await store.close()
        try await session.run("exchange", "sync", ahead.path)
        session = Session(tool: session.tool, lines: session.lines + copied.lines)
        for tool in [one, two, ahead] { await tool.expectInvariants() }
    }

    /// Copies of a store whose files are damaged, each in another way.
    private static func damage(_ session: inout Session) async throws {
        _ = try await session.add("trip", "--name", "Lisbon")
        let original = session.tool
        func copy(_ change: (String) throws -> Void) throws -> Session {
            let tool = Tool()
            try FileManager.default.createDirectory(at: tool.folder.url, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: original.path, toPath: tool.path)
            try change(tool.path)
            return Session(tool: tool)
        }
        var blocked = try copy { path in
            try FileManager.default.removeItem(atPath: path + "/views")
            try Data().write(to: URL(fileURLWithPath: path + "/views"))
        }
        #expect(await blocked.tool.run("add", "trip", "--name", "Porto").code == 1)
        try await blocked.run("status", "status")
        var rebuilt = try copy { path in
            for generation in try FileManager.default.contentsOfDirectory(atPath: path + "/views") {
                let file = "\(path)/views/\(generation)/data.mdb"
                if FileManager.default.fileExists(atPath: file) { try overwrite(file) }
            }
        }
        try await rebuilt.run("status", "status")
        var faulty = try copy { try overwrite($0 + "/log/data.mdb") }
        try await faulty.run("verification", "audit", "verify", code: 1)
        var unfinished = try copy {
            try Data("tripstore clone v1\nunknown\n/elsewhere\n".utf8).write(
                to: URL(fileURLWithPath: $0 + "/clone.unfinished"))
        }
        try await unfinished.run("status", "status")
        session = Session(
            tool: original, lines: [session, blocked, rebuilt, faulty, unfinished].flatMap(\.lines))
    }

    /// Puts other bytes in the place of the pages behind the first two.
    private static func overwrite(_ path: String) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let size = Int(try file.seekToEnd())
        try file.seek(toOffset: 8192)
        try file.write(contentsOf: Data((0..<max(0, size - 8192)).map { UInt8(truncatingIfNeeded: $0 &* 31 + 7) }))
    }
}
