import Foundation
import StoreSupport
import TestSupport
import Testing

@Suite("Standard streams that are closed, and input that is interrupted")
struct StandardStreamTests {
    @Test("With closed standard streams no file of a store is written to by what is printed")
    func closed() async throws {
        let tool = try await Tool.withStore()
        let cases = [("<&-", false), (">&-", true), ("2>&-", false), ("<&- >&-", true), ("<&- >&- 2>&-", true)]
        for (streams, losesOutput) in cases {
            // Failed output is a failure, and the trip was stored all the same.
            let added = try tool.shell("\"$T\" add trip --name Lisbon \(streams)")
            #expect(added.code == (losesOutput ? 2 : 0) && added.bytes.isEmpty == losesOutput, "\(streams)")
            #expect(try tool.shell("\"$T\" trips --undated \(streams)").bytes.isEmpty == losesOutput, "\(streams)")
            #expect(try tool.shell("\"$T\" nonsense \(streams)").code == 64)
        }
        #expect(await tool.run("trips", "--undated", "--json").out.count == 5)
        await tool.expectInvariants()
    }

    @Test(
        "A bundle that cannot be written to standard output is reported as a failure alone",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func fullOutput() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        let outcome = try tool.shell("\"$T\" bundle write - > /dev/full")
        let isSaid = outcome.complaint.hasPrefix("Error: Not all of the output could be written")
        #expect(outcome.code == 2 && isSaid, "\(outcome.complaint)")
        await tool.expectInvariants()
    }

    @Test("An import from standard input that is interrupted leaves nothing in the folder for temporary files")
    func interruptedImport() async throws {
        let tool = try await Tool.withStore()
        let outcome = try tool.shell(
            """
            mkfifo pipe; mkdir tmp
            TMPDIR="$PWD/tmp" "$T" import - < pipe & child=$!
            exec 3> pipe
            printf '{"trips":[' >&3
            for turn in $(seq 200); do
                if ls -l /proc/$child/fd | grep -q "$PWD/tmp/tripstore"; then break; fi
                sleep 0.1
            done
            ls -l /proc/$child/fd | grep -q "$PWD/tmp/tripstore" || exit 3
            kill -TERM $child
            exec 3>&-
            wait $child
            test -z "$(ls -A tmp)"
            """)
        #expect(outcome.code == 0, "\(outcome.complaint)")
        await tool.expectInvariants()
    }

    @Test(
        "A signal that comes as soon as a command notes signals ends it, and it does not hang",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status")))
    func earlySignal() async throws {
        let tool = try await Tool.withStore()
        // The process has a handler for SIGINT once the set of the caught ones has the second bit.
        let outcome = try tool.shell(
            """
            trap 'kill -KILL $child; exit 5' TERM
            catches() {
                read -r name < /proc/$child/comm && [ "$name" = tripstore ] || return 1
                while read -r name set; do
                    case $name$set in SigCgt:*[2367abef]) return 0;; esac
                done < /proc/$child/status
                return 1
            }
            for turn in $(seq 20); do
                "$T" tail > /dev/null 2>&1 & child=$!
                until catches; do kill -0 $child || exit 3; done
                kill -INT $child
                wait $child || exit 4
            done
            """)
        #expect(outcome.code == 0, "\(outcome.complaint)")
        await tool.expectInvariants()
    }
}
