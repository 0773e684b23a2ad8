import Foundation
import Testing

@testable import FaultTesting

#if os(Linux)
    @Suite("What is asked of the process beside a killed one")
    struct KilledWorkerTests {
        private let place = ScratchFolder()

        @Test("A process goes on if it begins writes after now that are acknowledged")
        func goesOn() throws {
            let process = try start("tasks s 4 100000")
            #expect(process.hindrance(to: 6) == nil)
            process.kill()
        }

        @Test("Acknowledgements that lay in the pipe do not show that a process goes on")
        func buffered() throws {
            let process = try start("small s 20")
            // All that it says lies in the pipe once it has ended.
            process.waitForEnd()
            #expect(process.hindrance(to: 6) == "it ended by itself")
            #expect(process.lines.count { if case .acknowledged = $0 { true } else { false } } == 20)
        }

        @Test("A process that was refused something does not go on")
        func refused() throws {
            let process = try start("small missing 20")
            let hindrance = try #require(process.hindrance(to: 6))
            #expect(hindrance.contains("missing is not open"), "\(hindrance)")
            process.kill()
        }

        @Test("A process that does nothing does not go on")
        func idle() throws {
            let process = try start("small s 1")
            #expect(process.hindrance(to: 6, within: 0)?.contains("acknowledged and not 6") == true)
            process.kill()
        }

        private func start(_ command: String) throws -> WorkerProcess {
            try FileManager.default.createDirectory(atPath: place.path, withIntermediateDirectories: true)
            let process = try WorkerProcess(in: place.path, variables: KillRound.variables(place.path))
            process.begin("open s")
            process.begin(command)
            return process
        }
    }
#endif
