NAME = "disk_full"
def run(b,t): pass
def catch(b,t,w): pass
