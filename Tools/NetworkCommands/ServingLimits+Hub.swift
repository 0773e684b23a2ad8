#if Hub
    import HubCarrier
    import TripStoreCommands

    extension ServingLimits {
        var hubLimits: HubLimits {
            var limits = HubLimits()
            limits.connections = connections
            // Connections that greet take memory of their own, and nobody knows what for: a small hub has fewer of them.
            let greetings = max(16, memory.bytes / Self.bytesOfSession / 3)
            limits.greetings = min(limits.greetings, greetings)
            limits.greetingsOfAddress = min(limits.greetingsOfAddress, greetings)
            limits.draining = .seconds(grace)
            if let streams { limits.streamsPerConnection = streams }
            if let largestMessage { limits.largestFrame = largestMessage.bytes }
            if let window { limits.listenerWindow = window.bytes }
            return limits
        }
    }
#endif
