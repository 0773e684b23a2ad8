import Events
import Foundation
import StoreSupport
import TestSupport
import Testing
import TripStore
import TripStoreTestSupport

@Suite("Diagnosis of a store")
struct DiagnosisTests {
    @Test("Each code is found where its cause is, with what to do", arguments: StoreFinding.Code.allCases)
    func code(_ code: StoreFinding.Code) async throws {
        let scenario = DiagnosisScenario()
        let diagnosis = try await scenario.diagnosis(of: code)
        let found = try #require(diagnosis.findings.first { $0.code == code }, "\(diagnosis.findings)")
        #expect(!found.message.isEmpty && !found.remedy.isEmpty && found.message.hasSuffix("."))
        #expect(found.severity == code.severity && found.description.hasPrefix("\(code.severity) \(code.rawValue): "))
        // Where one thing is wrong nothing else is said, but what follows from it.
        let others = Set(diagnosis.findings.map(\.code)).subtracting([code])
        #expect(others.subtracting(Self.consequences[code] ?? []) == [], "\(diagnosis.findings)")
    }

    /// What is found as well where the cause of a code is.
    private static let consequences: [StoreFinding.Code: Set<StoreFinding.Code>] = [
        .cannotOpen: [.damagedLog, .checkFailed], .damagedLog: Set(StoreFinding.Code.allCases),
        .fork: [.identityChange, .strandedCommits],
        .strandedCommits: [.identityChange], .identityChange: [.strandedCommits], .manyIdentities: [.identityChange],
        // Its owner never came, and its bytes did not either.
        .orphanedAttachment: [.missingContent],
        .missingBytes: [.waitingForMembership, .membershipRequest],
        .lostBytes: [.waitingForMembership, .membershipRequest],
        .clockBehind: [.duplicateTrip, .clockAhead], .viewsBehind: [.duplicateTrip],
    ]

    @Test("A store in which nothing is wrong has no findings, and is left as it was")
    func sound() async throws {
        let scenario = DiagnosisScenario()
        try await scenario.written { store in
            let trip = try await store.create(Trip(name: "Rome", days: Day(2027, 6, 1)...Day(2027, 6, 3)))
            try await store.create(Activity(name: "Walk", in: trip, days: Day(2027, 6, 2)...Day(2027, 6, 2)))
            try await store.attach(Data("ticket".utf8), to: trip.reference, as: "ticket.txt")
        }
        let before = try FileManager.default.subpathsOfDirectory(atPath: scenario.folder.url.path).sorted()
        let diagnosis = try await scenario.diagnose()
        #expect(diagnosis.findings == [] && diagnosis.isSound && diagnosis.omitted.isEmpty)
        #expect(diagnosis.position != nil)
        let after = try FileManager.default.subpathsOfDirectory(atPath: scenario.folder.url.path).sorted()
        #expect(before.filter { !$0.contains("open-") } == after.filter { !$0.contains("open-") })
        let store = try await TripStore.open(at: scenario.folder.url, options: scenario.options)
        #expect(await store.diagnose(scenario.checks()).isSound)
        try await store.expectInvariants()
        await store.close()
    }

    @Test("A folder without a store is an error, not a finding")
    func none() async throws {
        let error = await #expect(throws: TripStoreError.self) {
            try await TripStore.diagnose(at: TemporaryFolder().url)
        }
        #expect(error?.code == .noStore)
    }

    @Test("Of many findings of one code some are listed and the others counted")
    func many() async throws {
        let store = try await TripStore.test()
        let trips = (0..<20).map {
            TripEvent.created(Trip(name: "Trip \($0)", startDay: Day(2027, 5, 2), endDay: Day(2027, 5, 1)))
        }
        try await store.appendUnchecked(DiagnosisScenario.peers(trips))
        var checks = DiagnosisScenario().checks()
        checks.mostOfACode = 5
        let diagnosis = await store.diagnose(checks)
        #expect(diagnosis.findings.map(\.code) == Array(repeating: .reversedDays, count: 5))
        #expect(diagnosis.omitted == [.reversedDays: 15] && !diagnosis.isSound)
        try await store.expectInvariants()
    }

    @Test(
        "A repair deletes empty duplicates under one correlation, whose undo takes back all of it; reversed days are left to people"
    )
    func repair() async throws {
        let store = try await TripStore.test()
        let days = Day(2027, 5, 1)...Day(2027, 5, 8)
        let kept = try await store.create(Trip(name: "Lisbon", days: days))
        let empty = try await store.create(Trip(name: "Lisbon", days: days))
        try await store.create(Activity(name: "Tram", in: kept))
        let reversed = Activity(name: "Walk", in: kept)
        try await store.appendUnchecked(
            DiagnosisScenario.peers([
                .created(reversed),
                TripEvent(
                    .edited, reversed.id, [.set(\.startDay, Day(2027, 5, 3)), .set(\.endDay, Day(2027, 5, 2))]),
            ]))
        let diagnosis = await store.diagnose(DiagnosisScenario().checks())
        #expect(diagnosis.findings.map(\.code) == [.duplicateTrip, .reversedDays])
        #expect(diagnosis.findings.first?.entities == [empty.reference, kept.reference])
        let repair = try await store.repair(diagnosis, by: "ana")
        #expect(repair.repaired.map(\.code) == [.duplicateTrip] && repair.left.isEmpty)
        #expect(try store.trip(empty) == nil && store.trip(kept) != nil)
        // No undo could bring these days back.
        #expect(try store.entity(reversed.id)?.startDay == Day(2027, 5, 3))
        #expect(await store.diagnose(DiagnosisScenario().checks()).findings.map(\.code) == [.reversedDays])
        // What is repaired is left alone.
        #expect(try await store.repair(diagnosis).left.count == 1)
        let undone = try await store.undo(.correlation(repair.correlation))
        #expect(try store.trip(empty) != nil && undone.kept.isEmpty)
        try await store.expectInvariants()
    }

    @Test("Trips with contents of their own, protected ones and drafts are no duplicates that a repair deletes")
    func notRepaired() async throws {
        let store = try await TripStore.test()
        let days = Day(2027, 5, 1)...Day(2027, 5, 8)
        for _ in 0..<2 { try await store.create(Trip(name: "Draft")) }
        for _ in 0..<2 { try await store.create(Trip(name: "Safe", days: days, isProtected: true)) }
        for index in 0..<3 {
            let trip = try await store.create(Trip(name: "Full", days: days))
            try await store.create(Activity(name: index == 2 ? "Other" : "Tram", in: trip))
        }
        let diagnosis = await store.diagnose(DiagnosisScenario().checks())
        #expect(diagnosis.findings.map(\.code) == [.duplicateTrip, .duplicateTrip])
        #expect(diagnosis.findings.allSatisfy { $0.repair == nil })
        #expect(try await store.repair(diagnosis).repaired.isEmpty)
        #expect(try store.status().trips == 7)
        try await store.expectInvariants()
    }

    @Test("A duplicate that differs in what this version does not read is named, and not repaired")
    func newerFields() async throws {
        for path in [FieldPath(field: 4000, key: []), FieldPath(field: 4000, key: [7])] {
            let store = try await TripStore.test()
            let days = Day(2027, 5, 1)...Day(2027, 5, 8)
            let kept = try await store.create(Trip(name: "Lisbon", days: days))
            let other = try await store.create(Trip(name: "Lisbon", days: days))
            #expect(await store.diagnose(DiagnosisScenario().checks()).findings.map { $0.repair == nil } == [false])
            let diagnosis = await store.diagnose(DiagnosisScenario().checks())
            try await store.appendUnchecked([
                Event(
                    verb: .edited, entity: other.reference, changes: [Change(path: path, value: [1])])
            ])
            // What has changed since is looked at again.
            #expect(try await store.repair(diagnosis).repaired.isEmpty)
            let findings = await store.diagnose(DiagnosisScenario().checks()).findings
            #expect(findings.map(\.code) == [.duplicateTrip] && findings[0].repair == nil)
            #expect(try store.trip(kept) != nil && store.trip(other) != nil)
            try await store.expectInvariants()
        }
    }

    @Test("A failing check is a finding, and the others go on")
    func goesOn() async throws {
        let faults = FaultInjector()
        let store = try await TripStore.temporary(options: .init(interceptor: faults))
        let days = Day(2027, 5, 1)...Day(2027, 5, 8)
        for _ in 0..<2 { try await store.create(Trip(name: "Lisbon", days: days)) }
        var checks = DiagnosisScenario().checks()
        checks.now = { Date() }
        let sound = await store.diagnose(checks)
        #expect(sound.findings.map(\.code) == [.duplicateTrip])
        // The second query: that of the trips.
        faults.failReads(with: TripStoreError(.damaged, "The page 7 cannot be read."), times: 1)
        let failed = await store.diagnose(checks)
        #expect(failed.findings.map(\.code).contains(.checkFailed))
        #expect(failed.findings.contains { $0.message.contains("The page 7 cannot be read") })
    }

    @Test("The page on diagnoses names every code with its severity")
    func documented() throws {
        let page = try String(
            contentsOfFile: SourceFile.path("Sources/TripStore/TripStore.docc/Diagnosing.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let documented = rows.map { [$0[0], $0[1]] }
        let codes = StoreFinding.Severity.allCases.flatMap { severity in
            StoreFinding.Code.allCases.filter { $0.severity == severity }.map {
                ["`\($0.rawValue)`", severity.rawValue]
            }
        }
        #expect(documented == codes)
        for row in rows { #expect(row.count == 4 && row[2].count > 10 && row[3].count > 3, "\(row)") }
    }
}
