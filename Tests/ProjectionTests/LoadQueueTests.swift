import Testing

@testable import ProjectionEngine

@Suite struct LoadQueueTests {
    @Test("Chunks are loaded in the order of their numbers, whoever comes first")
    func order() {
        var queue = LoadQueue<String>(limit: 3)
        #expect(queue.add("second", number: 1).isEmpty)
        #expect(queue.add("third", number: 2).isEmpty)
        #expect(queue.add("first", number: 0) == ["first", "second", "third"])
        #expect(queue.add("any", number: nil) == ["any"])
    }

    @Test("Whose turn it is waits as well while as many as may are being loaded")
    func turnWaits() {
        var queue = LoadQueue<Int>(limit: 2)
        for number in 0..<2 {
            #expect(queue.hasRoom(for: number))
            #expect(queue.add(number, number: number) == [number])
        }
        #expect(!queue.hasRoom(for: 2))
        #expect(!queue.hasRoom(for: nil))
        queue.finishOne()
        #expect(queue.hasRoom(for: 2))
    }

    @Test("Whose turn it is does not wait for those that came early, who wait for it")
    func turnGoesBeforeEarly() {
        var queue = LoadQueue<Int>(limit: 2)
        #expect(queue.add(1, number: 1).isEmpty)
        #expect(queue.add(2, number: 2).isEmpty)
        #expect(!queue.hasRoom(for: 3))
        #expect(queue.hasRoom(for: 0))
        #expect(queue.add(0, number: 0) == [0, 1, 2])
    }

    @Test("A queue is empty when all that it had is loaded or forgotten")
    func emptiness() {
        var queue = LoadQueue<Int>(limit: 2)
        #expect(queue.isEmpty)
        _ = queue.add(0, number: 0)
        _ = queue.add(2, number: 2)
        queue.finishOne()
        #expect(!queue.isEmpty)
        queue.forgetEarly()
        #expect(queue.isEmpty)
    }
}
