import Foundation
import LMDBSupport
import Platform
import Testing

@Suite("Locks of files that a process lets go of while it is suspended")
struct FileLockTests {
    @Test("A lock is let go of and taken again, and those of other folders stay")
    func again() throws {
        let (sandbox, elsewhere) = (try Sandbox(), try Sandbox())
        let lock = try #require(try FileLock(creating: sandbox.path("lock"), LOCK_EX))
        let other = try #require(try FileLock(creating: elsewhere.path("lock"), LOCK_EX))
        #expect(try FileLock(creating: sandbox.path("lock"), LOCK_EX) == nil)
        FileLock.suspend(under: sandbox.path)
        #expect(!lock.isHeld && other.isHeld)
        #expect(try FileLock(creating: sandbox.path("lock"), LOCK_EX) != nil)
        FileLock.resume(under: sandbox.path)
        #expect(lock.isHeld && other.isHeld)
        #expect(try FileLock(creating: sandbox.path("lock"), LOCK_EX) == nil)
    }

    @Test("A lock that another has taken meanwhile, or whose file is gone, is not held afterwards")
    func lost() throws {
        let sandbox = try Sandbox()
        let path = sandbox.path("lock")
        let lock = try #require(try FileLock(creating: path, LOCK_EX))
        FileLock.suspend(under: sandbox.path)
        var other = try FileLock(creating: path, LOCK_EX)
        FileLock.resume(under: sandbox.path)
        #expect(!lock.isHeld && other?.isHeld == true)
        other = nil
        FileLock.resume(under: sandbox.path)
        #expect(lock.isHeld)
        FileLock.suspend(under: sandbox.path)
        #expect(unlink(path) == 0)
        FileLock.resume(under: sandbox.path)
        #expect(!lock.isHeld)
    }
}
