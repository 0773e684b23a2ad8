import Foundation
import StoreSupport
import TestSupport
import Testing
import TripFormats
import TripStore

@Suite("Imports in every order")
struct ImportOrderTests {
    /// A file and whether it is mirrored.
    struct Step: Sendable, Equatable, CustomStringConvertible {
        let file: Int
        let mirror: Bool

        var description: String { "\(file)\(mirror ? "m" : "")" }

        static let all = steps(files: 3)
        /// The paths of the file as planned and as it went.
        static let ofTwo = steps(files: 2)

        private static func steps(files: Int) -> [Step] {
            [false, true].flatMap { mirror in (0..<files).map { Step(file: $0, mirror: mirror) } }
        }
    }

    /// Returns the correlation of what was written; nil if nothing was.
    @discardableResult
    private func run(
        _ step: Step, _ exports: SampleExports, _ store: TripStore, _ model: inout ImportModel
    ) async throws -> UUID? {
        let file = exports.files[step.file]
        let expected = model.importing(file.contents, mirror: step.mirror)
        let report = try await store.importing(file.path, mirror: step.mirror)
        let found = ImportModel.Outcome(
            events: report.events, skipped: report.skipped.values.reduce(0, +),
            overridden: report.overridden.values.reduce(0, +))
        #expect(found == expected, "\(file.name), mirrored: \(step.mirror)")
        try expectEqual(store, model, "\(file.name), mirrored: \(step.mirror)")
        return report.correlation
    }

    private func expectEqual(_ store: TripStore, _ model: ImportModel, _ words: String) throws {
        let (found, expected) = (try store.contents(), model.contents)
        let different = Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }
        let first = different.first.map { "\($0): \(found[$0] ?? [:]) and not \(expected[$0] ?? [:])" }
        #expect(different.isEmpty, "\(words): \(different.count) differ, such as the \(first ?? "")")
    }

    @Test(
        "Three imports of two files, plain and mirrored, come to what the rules say, event by event",
        arguments: Step.ofTwo, Step.ofTwo)
    func orders(first: Step, second: Step) async throws {
        let exports = try await SampleExports()
        // In the short form another one for each pair.
        let all = Step.ofTwo
        let index = (all.firstIndex(of: first) ?? 0) + (all.firstIndex(of: second) ?? 0)
        for third in Extent.isLong ? all : [all[index % all.count]] {
            let store = try await TripStore.test()
            var model = ImportModel()
            for step in [first, second, third] { try await run(step, exports, store, &model) }
            // Importing it again writes nothing.
            try await run(third, exports, store, &model)
            #expect(try await store.importing(exports.files[third.file].path, mirror: third.mirror).events == 0)
            try await store.expectSoundLog()
        }
    }

    @Test("Whole files, planned, mirrored as they went, and mirrored as planned: every flight has its planned times")
    func whole() async throws {
        let exports = try await SampleExports(isWhole: true)
        let store = try await TripStore.test()
        var model = ImportModel()
        for step in [Step(file: 0, mirror: false), Step(file: 1, mirror: true), Step(file: 0, mirror: true)] {
            try await run(step, exports, store, &model)
        }
        #expect(try store.contents() == exports.files[0].contents)
        try await store.expectInvariants()
    }

    @Test(
        "Between edits, deletions, moves and undoings imports come to what the rules say",
        arguments: 0..<UInt64(Extent.of(14)))
    func beside(_ seed: UInt64) async throws {
        let exports = try await SampleExports()
        let store = try await TripStore.test()
        var model = ImportModel()
        var person = ImportingPerson(store, seed)
        for _ in 0..<8 {
            let step = try #require(Step.all.randomElement(using: &person.random))
            if let correlation = try await run(step, exports, store, &model),
                Int.random(in: 0..<4, using: &person.random) == 0
            {
                try await person.undoImport(correlation, &model)
                try expectEqual(store, model, "undone")
            }
            for _ in 0..<6 { try await person.act(&model) }
            try expectEqual(store, model, "edited")
        }
        try await store.expectInvariants()
    }

    @Test(
        "Of two imports at once each record is as one after the other makes it, nothing is skipped, and the next decides"
    )
    func atOnce() async throws {
        let exports = try await SampleExports()
        let (one, other) = (exports.files[0], exports.files[1])
        for mirror in [false, true] {
            let store = try await TripStore.test()
            async let first = store.importing(one.path, mirror: mirror)
            async let second = store.importing(other.path, mirror: mirror)
            for report in try await [first, second] {
                #expect(report.skipped.isEmpty && report.overridden.isEmpty)
                #expect(report.warnings == [])
            }
            let found = try store.contents()
            var models = [ImportModel(), ImportModel()]
            for (index, files) in [[one, other], [other, one]].enumerated() {
                for file in files { _ = models[index].importing(file.contents, mirror: mirror) }
            }
            for entity in Set(found.keys).union(one.contents.keys).union(other.contents.keys) {
                #expect(models.contains { $0.contents[entity] == found[entity] }, "\(entity)")
            }
            for file in [other, one] {
                _ = try await store.importing(file.path, mirror: true)
                #expect(try store.contents() == file.contents)
                #expect(try await store.importing(file.path, mirror: true).events == 0)
            }
            try await store.expectInvariants()
        }
    }
}
