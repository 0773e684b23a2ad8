import Events
import Foundation
import StoreSupport
import Synchronization
import Testing

@testable import EventLog

@Suite("The machine's record of a replica")
struct MachineRecordTests {
    private let machine = TemporaryFolder()
    private let replica = ReplicaIdentity.generate().id
    private let journal = JournalID(UUID())
    private let record = MachineRecord(tokens: [[UInt8](repeating: 7, count: 16), StoreOrigin.noToken], newest: .start)

    private var path: String { machine.path("\(replica)-\(journal)") }

    private func file(_ syncNames: @escaping @Sendable (String) throws -> Void) throws -> MachineRecordFile {
        try #require(
            MachineRecordFile(folder: machine.url.path, replica: replica, journal: journal, syncNames: syncNames))
    }

    @Test("Its name is durable before its content, whichever process made the file")
    func name() throws {
        let sizes = Mutex<[UInt64?]>([])
        let path = path
        let note: @Sendable (String) throws -> Void = { _ in
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            sizes.withLock { $0.append(attributes[.size] as? UInt64) }
        }
        // Made by a process that was killed before it wrote anything.
        do { _ = try file { _ in } }
        #expect(try file(note).write(record))
        #expect(sizes.withLock { $0 } == [0])
        let again = try file(note)
        #expect(again.write(record) && again.write(record))
        // A file with content has a durable name.
        #expect(sizes.withLock { $0.count } == 1)
        #expect(try file { _ in }.read() == record)
    }

    @Test("One whose name cannot be made durable is not kept")
    func refused() throws {
        let file = try file { _ in throw CocoaError(.fileWriteUnknown) }
        #expect(!file.write(record))
        #expect(file.read() == nil)
    }
}
