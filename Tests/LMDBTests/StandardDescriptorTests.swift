import Foundation
import LMDBSupport
import Testing

@Suite("Standard descriptors that are closed", .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
struct StandardDescriptorTests {
    @Test("A process whose standard streams are closed opens no file of an environment under their numbers")
    func closed() throws {
        let sandbox = try Sandbox()
        let script = """
            cd '\(sandbox.path)' && mkfifo input && mkdir environment
            '\(try SecondProcess.path())' hold environment < input >&- 2>&- & child=$!
            exec 3> input
            for turn in $(seq 200); do
                if ls -l /proc/$child/fd | grep -q environment/data.mdb; then break; fi
                sleep 0.1
            done
            for number in 0 1 2; do readlink /proc/$child/fd/$number; done
            kill -KILL $child
            """
        let (_, output) = try #require(runProgram("/bin/sh", ["-c", script]))
        let lines = output.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.dropFirst().allSatisfy { $0 == "/dev/null" }, "\(lines)")
        withExtendedLifetime(sandbox) {}
    }
}
