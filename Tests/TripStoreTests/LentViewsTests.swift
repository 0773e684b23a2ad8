import Foundation
import StoreSupport
import TestSupport
import Testing

/// The compiler's errors for an app that keeps borrowed values. The app is a file that is compiled against the modules of this
/// build, with one line for each case.
@Suite(
    "What the compiler refuses to let an app keep",
    .enabled(if: AppCompiler.isAvailable, "there is no swiftc, or the modules do not lie beside the tests"))
struct LentViewsTests {
    struct Line: Sendable, CustomTestStringConvertible {
        let place: String
        let text: String
        /// A part of the compiler's message; nil if there is to be none.
        let error: String?

        init(in place: String, _ text: String, _ error: String? = nil) {
            self.place = place
            self.text = text
            self.error = error
        }

        var testDescription: String { "\(place): \(text)" }
    }

    private static let app = """
        import Events
        import ProjectionEngine
        import TripStore
        import TripStoreProjections

        nonisolated(unsafe) var keptRecord: RecordView?
        nonisolated(unsafe) var keptRegister: RecordView.Register?
        nonisolated(unsafe) var keptEvent: EventView?
        nonisolated(unsafe) var keptChange: ChangeView?
        nonisolated(unsafe) var keptViews: ViewSnapshot?
        nonisolated(unsafe) var keptSpan: RawSpan?
        nonisolated(unsafe) var keptBytes: [UInt8] = []
        nonisolated(unsafe) var later: () -> Int = { 0 }

        struct Keeping: Projection {
            let name = "keeping"
            let version: UInt32 = 1

            func rows(
                of entity: EntityReference, _ record: borrowing RecordView, into sink: inout RowSink
            ) throws(WireError) {
                // record
                try record.forEachRegister { register throws(WireError) in
                    // register
                    register.withValue { value in
                        // value
                        _ = value
                    }
                }
            }

            func rows(of event: borrowing EventView, at position: EventPosition, into sink: inout RowSink) {
                // event
                try? event.forEachChange { change throws(WireError) in
                    // change
                    change.withKey { key in
                        // key
                        _ = key
                    }
                }
            }
        }

        func read(_ app: ViewGroup, _ trip: EntityReference, _ pointer: UnsafeRawBufferPointer) throws {
            // read
            try app.read { views in
                // views
                try views.forEachRow(of: "keeping", KeyBounds(prefix: [])) { key, value in
                    // row
                    return true
                }
            }
        }
        """

    private static let allowed = [
        Line(
            in: "record",
            "if try record.isPresent(), let trip = try record.item(entity)?.trip { _ = trip }"),
        Line(in: "register", "keptBytes = register.withKey { [UInt8]($0) }"),
        Line(in: "value", "if let value { keptBytes = [UInt8](value) }"),
        Line(in: "value", "if let value { sink.put(key: { $0.append(contentsOf: value) }) }"),
        Line(in: "event", "sink.put { $0.append(event.entity) }"),
        Line(in: "change", "keptBytes = change.withValue { if let value = $0 { [UInt8](value) } else { [] } }"),
        Line(in: "views", "keptBytes = try views.get([1], in: \"keeping\") ?? []"),
        Line(in: "views", "_ = try views.withRecord(of: trip) { try $0.isPresent() }"),
        Line(in: "row", "_ = (Accumulation(value)?.count, try Accumulation.parts(of: value), [UInt8](key))"),
    ]

    private static let refused = [
        Line(in: "record", "keptRecord = record", "is consuming"),
        Line(in: "record", "let copy = copy record", "cannot be applied to noncopyable"),
        Line(in: "record", "later = { record.version.hashValue }", "cannot be captured by an escaping closure"),
        Line(in: "record", "_ = record.registers", "inaccessible due to 'package'"),
        Line(in: "register", "keptRegister = register", "is consuming"),
        Line(in: "register", "keptSpan = register.withKey { $0 }", "conform to 'Escapable'"),
        Line(in: "register", "_ = register.key", "inaccessible due to 'package'"),
        Line(in: "register", "_ = register.value", "inaccessible due to 'package'"),
        Line(in: "value", "keptSpan = value", "lifetime-dependent variable 'value' escapes"),
        Line(in: "event", "keptEvent = event", "is consuming"),
        Line(in: "event", "later = { event.verb == .edited ? 1 : 0 }", "cannot be captured by an escaping closure"),
        Line(in: "change", "keptChange = change", "is consuming"),
        Line(in: "change", "_ = change.value", "inaccessible due to 'package'"),
        Line(in: "key", "later = { key.byteCount }", "lifetime-dependent variable 'key' escapes"),
        Line(in: "read", "keptViews = try app.read { $0 }", "conform to 'Copyable'"),
        Line(in: "read", "_ = try RecordView(pointer)", "inaccessible due to 'package'"),
        Line(in: "read", "_ = try EventView(pointer)", "inaccessible due to 'package'"),
        Line(in: "views", "keptViews = views", "is consuming"),
        Line(in: "views", "_ = views.alias()", "inaccessible due to 'package'"),
        Line(in: "views", "_ = try views.record(of: trip)", "inaccessible due to 'package'"),
        Line(in: "views", "keptRecord = try views.withRecord(of: trip) { $0 }", "conform to 'Copyable'"),
        Line(in: "views", "_ = try views.scan(\"keeping\", KeyBounds(prefix: []))", "inaccessible due to 'package'"),
        Line(in: "views", "_ = try views.cursor(on: \"keeping\")", "inaccessible due to 'package'"),
        Line(in: "views", "_ = try views.lookup(in: \"keeping\")", "inaccessible due to 'package'"),
        Line(in: "row", "keptSpan = key", "lifetime-dependent variable 'key' escapes"),
        Line(in: "row", "later = { value.byteCount }", "lifetime-dependent variable 'value' escapes"),
    ]

    @Test(
        "The uses that are meant are fine, and each line that keeps something is an error", arguments: allowed + refused
    )
    func line(_ line: Line) throws {
        var lines = Self.app.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let number = try #require(lines.firstIndex { $0.trimmingCharacters(in: .whitespaces) == "// " + line.place })
        lines[number] = line.text
        let errors = try AppCompiler.errors(in: lines.joined(separator: "\n"))
        guard let expected = line.error else {
            #expect(errors.isEmpty)
            return
        }
        #expect(!errors.isEmpty, "the compiler lets it pass")
        for error in errors { #expect(error.contains(expected)) }
    }
}

/// The compiler as an app's build runs it, up to its diagnostics.
private enum AppCompiler {
    /// The folder of this build's modules; nil if they lie elsewhere.
    private static let products = try? KilledProcess.executable().deletingLastPathComponent()

    private static var options: [String]? {
        guard let products else { return nil }
        let modules = products.appendingPathComponent("Modules").path
        let isThere = FileManager.default.fileExists(atPath:)
        let maps = ["CPlatform", "CCompression", "LMDBSources"].map {
            products.appendingPathComponent("\($0).build/module.modulemap").path
        }
        // The last is there where LMDB was brought along.
        guard ([modules + "/TripStore.swiftmodule"] + maps.dropLast()).allSatisfy(isThere) else { return nil }
        return ["-swift-version", "6", "-parse-as-library", "-I", modules, "-I", SourceFile.path("Sources/CLMDB")]
            + maps.filter(isThere).flatMap { ["-Xcc", "-fmodule-map-file=" + $0] }
    }

    static let isAvailable = options != nil && Program.succeeds("swiftc", "--version")

    /// What is wrong with a file.
    static func errors(in text: String) throws -> [String] {
        // Escaping values are found after type checking, so that type checking alone is not enough.
        let options = try #require(options)
        let run = try #require(
            try Program.run("swiftc", options + ["-emit-sil", "-o", "/dev/null", "-"], input: [UInt8](text.utf8)))
        let errors = run.complaint.split(separator: "\n").filter {
            $0.hasPrefix("<stdin>:") && $0.contains(": error: ")
        }
        // Other failures say nothing about the file.
        try #require((run.code == 0) == errors.isEmpty, "\(run.complaint)")
        return errors.map(String.init)
    }
}
