import Testing

@testable import ProjectionEngine

@Suite("Chunks that wait to be loaded")
struct LoadQueueTests {
    private func takeAll<Chunk>(_ queue: inout LoadQueue<Chunk>) -> [Chunk] {
        var found: [Chunk] = []
        while let chunk = queue.takeNext() { found.append(chunk) }
        return found
    }

    @Test("Chunks are loaded in the order of their numbers, in any order of arrival")
    func order() {
        var queue = LoadQueue<String>(limit: 3)
        #expect(queue.add("second", number: 1) == 0)
        #expect(queue.add("third", number: 2) == 0)
        #expect(queue.takeNext() == nil)
        #expect(queue.add("first", number: 0) == 3)
        #expect(queue.add("any", number: nil) == 1)
        #expect(takeAll(&queue) == ["first", "second", "third", "any"])
    }

    @Test("Whose turn it is waits as well while as many as may are to be loaded", arguments: [false, true])
    func turnWaits(isTaken: Bool) {
        var queue = LoadQueue<Int>(limit: 2)
        for number in 0..<2 {
            #expect(queue.hasRoom(for: number))
            #expect(queue.add(number, number: number) == 1)
        }
        if isTaken { _ = takeAll(&queue) }
        #expect(!queue.hasRoom(for: 2))
        #expect(!queue.hasRoom(for: nil))
        _ = queue.takeNext()
        queue.finishOne()
        #expect(queue.hasRoom(for: 2) && queue.hasRoom(for: nil))
    }

    @Test("Whose turn it is does not wait for those that came early, for whom all others do")
    func turnGoesBeforeEarly() {
        var queue = LoadQueue<Int>(limit: 2)
        #expect(queue.add(1, number: 1) == 0)
        #expect(queue.add(2, number: 2) == 0)
        #expect(!queue.hasRoom(for: 3) && !queue.hasRoom(for: nil))
        #expect(queue.hasRoom(for: 0))
        #expect(queue.add(0, number: 0) == 3)
        #expect(!queue.hasRoom(for: 3))
    }

    @Test("A queue is empty when all that it had is loaded or forgotten")
    func emptiness() {
        var queue = LoadQueue<Int>(limit: 2)
        #expect(queue.isEmpty)
        _ = queue.add(0, number: 0)
        _ = queue.add(2, number: 2)
        #expect(takeAll(&queue) == [0])
        #expect(!queue.isEmpty)
        queue.finishOne()
        #expect(!queue.isEmpty)
        queue.forgetEarly()
        #expect(queue.isEmpty)
        _ = queue.add(1, number: 1)
        #expect(!queue.isEmpty)
    }
}
