#if Hub
    import HubCarrier
    import TripStoreCommands

    extension ServingLimits {
        var hubLimits: HubLimits {
            var limits = HubLimits()
            limits.connections = connections
            limits.draining = .seconds(grace)
            if let streams { limits.streamsPerConnection = streams }
            if let largestMessage { limits.largestFrame = largestMessage.bytes }
            if let window { limits.listenerWindow = window.bytes }
            return limits
        }
    }
#endif
