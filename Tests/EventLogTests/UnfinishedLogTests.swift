import EventLog
import Events
import Foundation
import LMDB
import Platform
import StoreSupport
import Testing

@Suite("A log whose creation was cut off, or whose file was lost")
struct UnfinishedLogTests {
    private let machine = TemporaryFolder()

    private func fixture() -> LogFixture {
        var fixture = LogFixture()
        fixture.dependencies.machineFolder = machine.path("replicas")
        return fixture
    }

    /// The remains of the data file.
    enum Remains: CaseIterable, CustomTestStringConvertible {
        case nothing, noBytes, onePage, twoPages, firstMeta, secondMeta, emptyEnvironment, noRows

        var testDescription: String { "\(self)" }

        /// Leaves exactly that in the log's folder.
        func leave(in folder: String) throws {
            let file = URL(fileURLWithPath: folder + "/data.mdb")
            try FileManager.default.removeItem(atPath: folder)
            try Folder.create(folder)
            // As LMDB makes it.
            do {
                let environment = try Environment.open(at: folder)
                if self == .noRows { _ = try environment.tables(LogTableName.allCases.map(\.rawValue)) }
            }
            try FileManager.default.removeItem(atPath: folder + "/lock.mdb")
            let fresh = try Data(contentsOf: file)
            let size = fresh.count / 2
            switch self {
            case .nothing: try FileManager.default.removeItem(at: file)
            case .noBytes: try Data().write(to: file)
            case .onePage: try Data(count: size).write(to: file)
            case .twoPages: try Data(count: 2 * size).write(to: file)
            case .firstMeta: try (fresh.prefix(size) + Data(count: size)).write(to: file)
            case .secondMeta: try (Data(count: size) + fresh.suffix(size)).write(to: file)
            case .emptyEnvironment, .noRows: break
            }
        }
    }

    private func codeOfReading(_ fixture: LogFixture) -> String? {
        do {
            _ = try fixture.open(readOnly: true)
            return nil
        } catch let error as EventLogError {
            return error.code.rawValue
        } catch {
            return (error as? StorageError)?.code.rawValue
        }
    }

    @Test(
        "A log in which no replica is known to have written is created again, with or without key and record",
        arguments: Remains.allCases)
    func beginsAnew(remains: Remains) async throws {
        for (hasKey, hasRecord) in [(false, false), (true, false), (false, true), (true, true)] {
            let fixture = fixture()
            // Opened and never written to: the record names no commit.
            let replica = try fixture.open().replica
            try remains.leave(in: fixture.folder.path("log"))
            if !hasKey { try FileManager.default.removeItem(atPath: fixture.folder.path("replica.key")) }
            if !hasRecord { try FileManager.default.removeItem(atPath: machine.path("replicas")) }
            #expect(codeOfReading(fixture) == (remains == .nothing ? "missing" : "unfinished"))
            do {
                let log = try fixture.open()
                #expect(log.replica != replica)
                // Without a record it is unknown whether a key was used.
                #expect((log.identityChange != nil) == (hasKey && !hasRecord))
                _ = try await log.appendSamples(2)
            }
            #expect(try fixture.open(readOnly: true).commits().count == 3)
            try fixture.expectIntact()
        }
    }

    @Test(
        "Where the replica of the key is known to have written it is refused, and says by whom and how much",
        arguments: Remains.allCases)
    func refused(remains: Remains) async throws {
        let fixture = fixture()
        let replica: ReplicaID
        do {
            let log = try fixture.open()
            replica = log.replica
            _ = try await log.appendSamples(4)
        }
        try remains.leave(in: fixture.folder.path("log"))
        let present = FileManager.default.contents(atPath: fixture.folder.path("log/data.mdb"))
        for readOnly in [false, true, false] {
            #expect { try fixture.open(readOnly: readOnly) } throws: { error in
                guard let error = error as? EventLogError, error.code == .logLost else { return false }
                return error.message.contains("\(replica)") && error.message.contains("5 commits")
            }
            #expect(FileManager.default.contents(atPath: fixture.folder.path("log/data.mdb")) == present)
        }
        // Without the record, or with another's key, it is unknown.
        let other = self.fixture()
        try fixture.folder.copy(to: other.folder)
        try FileManager.default.removeItem(atPath: other.folder.path("replica.key"))
        do { _ = try await other.open().appendSamples(1) }
        try other.expectIntact()
        var forgetful = fixture
        forgetful.dependencies.machineFolder = nil
        let log = try forgetful.open()
        #expect(log.identityChange?.previous == replica)
        _ = try await log.appendSamples(1)
        try fixture.expectIntact()
    }

    @Test("One that holds commits and names no replica is not created again")
    func nameless() async throws {
        let fixture = fixture()
        do { _ = try await fixture.open().appendSamples(1) }
        do {
            let environment = try Environment.open(at: fixture.folder.path("log"))
            let meta = try environment.tables(["meta"])[0]
            try environment.write { try $0.clear(meta) }
        }
        for readOnly in [true, false] {
            #expect { try fixture.open(readOnly: readOnly) } throws: { ($0 as? EventLogError)?.code == .damaged }
        }
    }
}
