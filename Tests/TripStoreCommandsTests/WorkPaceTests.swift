import LogExchange
import StoreSupport
import TestSupport
import Testing

@testable import TripStoreCommands

@Suite("The progress of long work")
struct WorkPaceTests {
    @Test(
        "Bytes are shown by their share, with a rate once the stage is long enough to have one, and what is left after a second"
    )
    func bytes() {
        var pace = WorkPace()
        func words(_ stage: String, _ megabytes: Int64, at milliseconds: Int) -> String {
            pace.words(stage, megabytes * 1_000_000, of: 300_000_000, .bytes, at: .milliseconds(milliseconds))
        }
        #expect(words("checking", 0, at: 1_000) == "checking 0 %")
        #expect(words("checking", 15, at: 1_100) == "checking 5 %")
        #expect(words("checking", 150, at: 2_000) == "checking 50 %, 150.0 MB/s")
        #expect(words("checking", 150, at: 4_000) == "checking 50 %, 50.0 MB/s, 3 s left")
        // A stage begins anew.
        #expect(words("importing", 3, at: 4_500) == "importing 1 %")
        #expect(words("importing", 300, at: 44_500) == "importing 100 %, 7.42 MB/s")
        #expect(pace.words("attachments", 0, of: 0, .bytes, at: .zero) == "attachments 0 %")
    }

    @Test("Things are shown by their number, their total, their share, how many a second, and how long it takes yet")
    func things() {
        var pace = WorkPace()
        func words(_ done: Int64, of total: Int64? = 5000, at milliseconds: Int) -> String {
            pace.words("dumping", done, of: total, .things("commit"), at: .milliseconds(milliseconds))
        }
        #expect(words(0, at: 0) == "dumping 0 of 5000 commits, 0 %")
        #expect(words(1000, at: 1_500) == "dumping 1000 of 5000 commits, 20 %, 666 a second, 6 s left")
        #expect(words(1000, at: 100_000) == "dumping 1000 of 5000 commits, 20 %, 10 a second, 6 min 40 s left")
        #expect(words(5000, at: 100_000) == "dumping 5000 of 5000 commits, 100 %, 50 a second")
        // More than was expected: others write meanwhile.
        #expect(words(5001, at: 100_000) == "dumping 5001 of 5000 commits, 100 %, 50 a second")
        #expect(words(1, of: nil, at: 100_000) == "dumping 1 commit")
        #expect(pace.words("greeting", 0, of: nil, .things("commit"), at: .zero) == "greeting")
        #expect(pace.words("reading", 0, of: 0, .things("commit"), at: .zero) == "reading")
        #expect(pace.words("sending", 1, of: 1, .things("commit"), at: .zero) == "sending 1 of 1 commit, 100 %")
    }

    @Test("What stands is kept from the first report until the work ends, and nothing is shown after that")
    func standing() {
        let (shown, kept) = (Shown(), Shown())
        var console = Console(out: { _ in }, error: { _ in }, progress: { shown.add($0) })
        console.onInterruption = { kept.add($0?() ?? "") }
        Console.$current.withValue(console) {
            let idle = LongWork(standing: "Nothing.")
            idle.end()
            #expect(shown.lines.isEmpty && kept.lines.isEmpty)
            let work = LongWork(standing: "2 of 3 stand.")
            for done in 1...2 { work.report("writing", done, of: 3, .things("row")) }
            work.end()
            work.end()
            work.report("writing", 3, of: 3, .things("row"))
        }
        #expect(shown.lines.count == 3 && shown.lines.last == "")
        #expect(shown.lines.first?.hasPrefix("writing 1 of 3 rows, 33 %") == true)
        #expect(kept.lines == ["Interrupted. 2 of 3 stand.", ""])
    }

    @Test("An exchange with a peer that announces more commits than can be counted shows its progress")
    func countless() async {
        let shown = Shown()
        let console = Console(out: { _ in }, error: { _ in }, progress: { shown.add($0) })
        await Console.$current.withValue(console) {
            await ExchangeText.exchanging { report in
                var step = ExchangeProgress()
                step.stage = .exchanging
                (step.commitsToReceive, step.commitsToSend, step.received.commits) = (.max, 1, 3)
                report(step)
            }
        }
        #expect(shown.lines.first?.hasPrefix("exchanging 3 of \(Int.max) commits, 0 %") == true, "\(shown.lines)")
    }

    @Test("Every long command says what stands, and clears its line before it prints")
    func commands() async throws {
        let tool = try await Tool.withStore()
        _ = try await tool.value("add", "trip", "--name", "Lisbon")
        let (dump, backup) = (tool.folder.path("all.dump"), tool.folder.path("backup"))
        for (line, standing) in [
            (["export", tool.folder.path("all.json")], "No file was written"), (["dump", dump], "No dump was written"),
            (["backup", backup], "There is no backup at \(backup)"),
            (["replay"], "The log and the views that serve stand"),
            (["load", dump, "--dry-run"], "Nothing was taken in."),
            (["trips", "--as-of", "1"], "Nothing was written."),
        ] {
            let (shown, kept) = (Shown(), Shown())
            let outcome = await Tool.run(line + ["--store", tool.path]) { console in
                console.progress = { shown.add($0) }
                console.onInterruption = { kept.add($0?() ?? "") }
            }
            #expect(outcome.code == 0, "\(line): \(outcome.error)")
            #expect(kept.lines.first?.hasPrefix("Interrupted. \(standing)") == true, "\(line): \(kept.lines)")
            #expect(kept.lines.last == "" && shown.lines.last == "", "\(line): \(shown.lines)")
        }
        await tool.expectInvariants()
    }

    @Test("A process that a signal ends in long work says what stands, and ends by the signal")
    func signals() async throws {
        let tool = try await Tool.withStore()
        #expect(await tool.run("import", ExportFixture.planned).code == 0)
        let outcome = try tool.shell(
            """
            mkfifo pipe
            "$T" export - --format json > pipe 2> said & child=$!
            exec 3< pipe
            # More than the pipe holds is written, and more is to be.
            head -c 200000 <&3 > /dev/null
            kill -TERM $child
            wait $child; code=$?
            exec 3<&-
            cat said
            test $code -eq 143
            """)
        #expect(outcome.code == 0, "\(outcome.complaint)")
        #expect(outcome.text.contains("Interrupted. The file ends in the middle."), "\(outcome.text)")
        await tool.expectInvariants()
    }
}
