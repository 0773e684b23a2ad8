import Synchronization
import Testing

@testable import TripStoreCommands

@Suite("The line of progress")
struct ProgressLineTests {
    @Test("A line of progress is redrawn at most ten times a second, and cleared at once")
    func pace() {
        let shown = Shown()
        let time = Mutex(0)
        let line = ProgressLine(now: { .milliseconds(time.withLock { $0 }) }, draw: { shown.add($0) })
        line.show("")
        for millisecond in 0..<1000 {
            time.withLock { $0 = millisecond }
            line.show("\(millisecond)")
        }
        #expect(shown.lines == (0..<10).map { "\($0 * 100)" })
        line.show("")
        line.show("")
        line.show("too early")
        time.withLock { $0 = 1001 }
        line.show("more")
        #expect(shown.lines.suffix(3) == ["900", "", "more"])
    }
}
