NAME = "processes"
def run(b,t): pass
def catch(b,t,w): pass
