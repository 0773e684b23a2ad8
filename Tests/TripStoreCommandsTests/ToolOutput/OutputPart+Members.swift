import Testing

extension OutputPart {
    /// The commands about members.
    static func members(_ session: inout OutputSession) async throws {
        _ = try await session.add("trip", "--name", "Lisbon")
        let code = try await session.run("new invitation", "invite", "--until", "2030-01-01")
        let other = try await session.run("new invitation", "invite", "--role", "read")
        let guest = Tool()
        let text = try #require(code["code"] as? String)
        #expect(await guest.run("join", text, "--name", "guest").code == 0)
        #expect(await guest.run("add", "trip", "--name", "Porto").code == 0)
        try await session.run("members", "members")
        // The first exchange brings the request there, and the grant back.
        try await session.run("exchange", "sync", guest.path)
        try await session.run("members", "members")
        let (late, key) = (Tool(), try #require(other["key"] as? String))
        // A replica that is no admin cannot grant the requested role.
        let lateText = try #require(other["code"] as? String)
        #expect(await late.run("join", lateText, "--name", "late").code == 0)
        var guestSession = OutputSession(tool: guest)
        try await guestSession.run("exchange", "sync", late.path)
        try await guestSession.run("members", "members")
        try await session.run("withdrawn", "invite", "--withdraw", key)
        var lateSession = OutputSession(tool: Tool())
        try await lateSession.run("joined", "join", text)
        let replica = try #require(try await guest.run("status", "--json").object()["replica"] as? String)
        try await session.run("granted", "grant", replica, "admin")
        try await session.run("voided", "void", "2")
        try await session.run("voided", "void", "2", "--lift")
        try await session.run("voided", "void", "2")
        try await session.run("revoked", "revoke", replica)
        try await session.run("members", "members", "--erasing-period", "14")
        try await session.run("members", "members")
        try await NeededUpdateTests.receive(in: session.tool)
        try await session.run("commit row", "audit", "log")
        try await session.run("status", "status")
        for line in guestSession.lines + lateSession.lines { session.append(line) }
    }
}
